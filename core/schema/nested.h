// Which nested block a block of a body is: internal to core/schema.
//
// Called by decode.cc (values) and inspect.cc (structure and references), which walk bodies alike. Invariant:
// a body is opened by the same schema in both, so an attribute is written as blocks for both or for none.
// Cost: linear in the blocks of the body.  Thread-safety: pure functions.
#pragma once
#include <vector>

#include "core/schema/schema.h"

namespace xplan::schema {

inline constexpr int kMaxBlockDepth = 64;

// The nested block that a block's type names: one of the schema, or an attribute written as blocks.
const NestedBlock* find_nested(const Block& s, std::string_view type);
// Nested blocks have numbers: those of the schema first, then attributes written as blocks.
inline size_t nested_count(const Block& s) {
  return s.blocks.size() + s.attribute_blocks().size();
}
size_t nested_number(const Block& s, const NestedBlock* n);
// The schema by which a body is read; `own` holds it when it is not the usual one.
const syntax::BodySchema& shape_of(const syntax::Body& body, const Block& s, syntax::BodySchema& own);
syntax::Content open_body(const syntax::Body& body, const Block& s, Diagnostics& diags);

struct DynamicParts {
  const syntax::Expr* for_each = nullptr;
  Symbol iterator;
  const NestedBlock* nested = nullptr;
  std::vector<syntax::Block> content;  // exactly one when sound
  const syntax::Expr* labels = nullptr;
};
// Takes a dynamic block apart; false after reporting what is wrong with it.
bool parse_dynamic(const syntax::Block& block, const Block& s, DynamicParts& out, Diagnostics& diags);

}  // namespace xplan::schema
