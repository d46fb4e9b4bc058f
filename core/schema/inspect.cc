// Looks at a body without evaluating it: validates its structure against a schema and collects its
// references.
#include <fmt/format.h>

#include <algorithm>

#include "core/schema/decode.h"
#include "core/schema/nested.h"

namespace xplan::schema {
namespace {

// How many there may be; 0: any number.
int64_t most_blocks(const NestedBlock& b) {
  return is_one(b.nesting) ? 1 : b.max_items;
}

void validate_content(const syntax::Content& content, const schema::Block& s, int depth, Diagnostics& diags) {
  if (depth > kMaxBlockDepth) return;
  for (const schema::Attribute& a : s.attributes) {
    const syntax::Attribute* given = content.find(a.name.sv());
    if (given && a.computed && !a.optional && !a.required)
      diags.error(
          "Value for unconfigurable attribute",
          fmt::format("The value of \"{}\" is set by the provider; it cannot be set in the configuration.",
                      a.name.sv()),
          given->name_range);
  }
  static const Symbol dynamic("dynamic");
  std::vector<size_t> counts(nested_count(s));
  std::vector<bool> open(nested_count(s));
  std::vector<Range> excess(nested_count(s));  // the first that is one too many
  for (const syntax::Block& b : content.blocks) {
    if (b.type == dynamic && !s.find_block("dynamic")) {
      DynamicParts d;
      if (!parse_dynamic(b, s, d, diags)) continue;
      open[nested_number(s, d.nested)] = true;
      validate_content(open_body(d.content[0].body, *d.nested->block, diags), *d.nested->block, depth + 1,
                       diags);
      continue;
    }
    const NestedBlock* n = find_nested(s, b.type.sv());
    if (!n) continue;
    const size_t number = nested_number(s, n);
    const int64_t most = most_blocks(*n);
    if (static_cast<int64_t>(++counts[number]) == most + 1 && most > 0) excess[number] = b.def_range;
    validate_content(open_body(b.body, *n->block, diags), *n->block, depth + 1, diags);
  }
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    if (excess[i].valid())
      diags.error(
          "Too many blocks",
          fmt::format("At most {} \"{}\" block{} allowed here; found {}.", most_blocks(s.blocks[i]),
                      s.blocks[i].type_name.sv(), most_blocks(s.blocks[i]) == 1 ? " is" : "s are", counts[i]),
          excess[i]);
    if (!open[i] && static_cast<int64_t>(counts[i]) < s.blocks[i].min_items)
      diags.error(
          counts[i] == 0 ? "Missing block" : "Insufficient blocks",
          fmt::format("At least {} \"{}\" block{} required here; found {}.", s.blocks[i].min_items,
                      s.blocks[i].type_name.sv(), s.blocks[i].min_items == 1 ? " is" : "s are", counts[i]),
          content.missing_range);
  }
}

// `hidden`: the iterators that an expression sees.
using Found = std::function<void(const syntax::Expr& e, const std::vector<Symbol>& hidden)>;
void visit(const syntax::Content& content, const schema::Block& s, std::vector<Symbol>& hidden, int depth,
           const Found& found) {
  if (depth > kMaxBlockDepth) return;
  for (const syntax::Attribute& a : content.attributes)
    if (a.expr) found(*a.expr, hidden);
  static const Symbol dynamic("dynamic");
  Diagnostics ignored;
  for (const syntax::Block& b : content.blocks) {
    if (b.type == dynamic && !s.find_block("dynamic")) {
      DynamicParts d;
      if (!parse_dynamic(b, s, d, ignored)) continue;
      found(*d.for_each, hidden);
      hidden.push_back(d.iterator);
      if (d.labels) found(*d.labels, hidden);
      visit(open_body(d.content[0].body, *d.nested->block, ignored), *d.nested->block, hidden, depth + 1,
            found);
      hidden.pop_back();
      continue;
    }
    if (const NestedBlock* n = find_nested(s, b.type.sv()))
      visit(open_body(b.body, *n->block, ignored), *n->block, hidden, depth + 1, found);
  }
}

}  // namespace

void validate_body(const syntax::Content& body, const schema::Block& s, Diagnostics& diags) {
  validate_content(body, s, 0, diags);
}

void collect_traversals(const syntax::Content& body, const schema::Block& s,
                        std::vector<const syntax::Traversal*>& out) {
  std::vector<Symbol> iterators;
  visit(body, s, iterators, 0, [&](const syntax::Expr& e, const std::vector<Symbol>& hidden) {
    std::vector<const syntax::Traversal*> all;
    syntax::collect_traversals(e, all);
    for (const syntax::Traversal* t : all)
      if (std::find(hidden.begin(), hidden.end(), t->root) == hidden.end()) out.push_back(t);
  });
}

void visit_expressions(const syntax::Content& body, const schema::Block& s,
                       const std::function<void(const syntax::Expr&)>& f) {
  std::vector<Symbol> iterators;
  visit(body, s, iterators, 0, [&](const syntax::Expr& e, const std::vector<Symbol>&) { f(e); });
}

}  // namespace xplan::schema
