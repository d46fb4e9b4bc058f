// What one part of an object is made of: the references in its attribute or blocks, and where it is written.
//
// Who calls it: plan, for relevant attributes; review, for causes of changes.
// Cost: linear in the part's expressions; Parts indexes an object that is written out once.
// Thread-safety: collect_traversals_at is pure; Parts: one thread.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/schema/schema.h"

namespace xplan::schema {

// As collect_traversals, for the part that a path into the object names. False when that is everything: the
// object as a whole, or all blocks of a type that may stand there many times. Of a single one of those
// nothing is said.
bool collect_traversals_at(const syntax::Content& body, const Block& schema, const Path& path,
                           std::vector<const syntax::Traversal*>& out);

struct Part {
  Range place;                         // of the innermost expression or block; invalid: it is not written
  const syntax::Expr* expr = nullptr;  // null: it is written as blocks
  Path rest;                           // into the value of `expr`
  std::vector<const syntax::Traversal*> reads;
};

// Finds parts in a configuration, which must outlive it.
class Parts {
 public:
  // The part of a body that a path names, as exactly as what is written tells.
  Part at(const syntax::Content& body, const Block& schema, const Path& path);
  // The innermost expression that a path leads to from step `from` on, as far as tuples and objects are
  // written out; `from` becomes the step that leads into its value.
  const syntax::Expr& expression(const syntax::Expr& e, const Path& path, size_t& from);

 private:
  using Keys = std::unordered_map<std::string_view, const syntax::Expr*>;
  const Keys* keys_of(const syntax::Expr& object);  // null: one may be any key

  std::unordered_map<const syntax::Expr*, std::optional<Keys>> keys_;
};

}  // namespace xplan::schema
