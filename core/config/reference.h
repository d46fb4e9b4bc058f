// Resolves a traversal to what it refers to, in the static scope of a module.
//
// Who calls it: bind.cc, for files; bind_expression.cc, for the console.
// Contract: parse() always returns a reference; one of kind Invalid has been reported with a suggestion where
// a near name exists. Cost: O(1) per reference; the first kMaxSuggestions errors look through the names.
// Thread-safety: one thread per module.
#pragma once
#include <optional>

#include "core/config/config.h"

namespace xplan::config {

// What a reference may use where it stands.
struct RefScope {
  bool count = false, each = false, self = false;
  bool provisioner = false;         // runs when its resource exists, which may be called by its name, too
  bool condition = false;           // references of a condition to its own resource have been reported
  const Resource* owner = nullptr;  // the resource whose block this is
  bool trigger = false;             // in replace_triggered_by: an attribute that it names need not exist
  bool test = false;                // a test's: what the test gives, too, and before all else
  Symbol own_call;                  // the module call whose block this is
  Symbol check;                     // the check whose scoped data can be seen
};

class ReferenceParser {
 public:
  // `node` gives the called modules.
  ReferenceParser(const Module& m, const Node& node, Diagnostics& diags)
      : m_(m), node_(node), diags_(&diags) {}
  Reference parse(const syntax::Traversal& t, const RefScope& scope);
  // For depends_on: whole objects only.
  Reference parse_depends_on(const syntax::Traversal& t, const RefScope& scope);
  // " Did you mean …?" for a name that a block of a schema does not have.
  std::string attribute_hint(std::string_view name, const schema::Block& block);

 private:
  Reference fail(std::string_view summary, std::string detail, Range where);
  Reference named(const syntax::Traversal& t, RefKind kind);
  Reference resource(const syntax::Traversal& t, const RefScope& scope, Mode mode, bool prefixed);
  Reference incomplete_resource(const syntax::Traversal& t, bool prefixed);
  Reference own_resource(const syntax::Traversal& t, const RefScope& scope, size_t names);
  Reference missing_key(const syntax::Traversal& t, size_t step, const std::string& name, bool counted,
                        bool is_key);
  std::optional<size_t> select_instance(const syntax::Traversal& t, size_t step, const Resource& r,
                                        Reference& out);
  Reference undeclared_resource(const syntax::Traversal& t, const xplan::Resource& addr,
                                const RefScope& scope);
  Reference lone_dependency(const syntax::Traversal& t);
  Reference module_call(const syntax::Traversal& t, const RefScope& scope);
  Reference fixed(const syntax::Traversal& t, const RefScope& scope);
  std::optional<Reference> given(const syntax::Traversal& t) const;
  Reference self(const syntax::Traversal& t, const RefScope& scope);
  bool check_attribute(const syntax::Traversal& t, size_t step, const Resource& r);
  template <class List>
  std::string hint(Symbol given, const List& list);

  const Module& m_;
  const Node& node_;
  Diagnostics* diags_;
  int suggestions_ = 0;
};

}  // namespace xplan::config
