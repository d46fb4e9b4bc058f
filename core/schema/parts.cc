// Finds the one attribute or block that a path names, and the references in it.
#include "core/schema/parts.h"

#include "core/schema/decode.h"
#include "core/schema/nested.h"

namespace xplan::schema {
namespace {

// The position or the label that chooses one block of several.
struct Choice {
  std::optional<size_t> position;
  std::string_view label;
};

Choice choice_of(const PathStep& s) {
  if (s.is_attr) return {};
  if (s.index.is_string()) return {{}, s.index.as_string()};
  const auto n = s.index.is_number() ? s.index.as_number().exact_int64() : std::nullopt;
  if (n && *n >= 0) return {static_cast<size_t>(*n), {}};
  return {};
}

// Null: it cannot be told which.
const syntax::Block* choose(const std::vector<syntax::Block>& blocks, const NestedBlock& n,
                            const Path& path) {
  if (is_one(n.nesting)) return blocks.empty() ? nullptr : &blocks[0];
  if (path.size() < 2) return nullptr;
  const Choice c = choice_of(path[1]);
  if (c.position) return *c.position < blocks.size() ? &blocks[*c.position] : nullptr;
  for (const syntax::Block& b : blocks)
    if (!c.label.empty() && !b.labels.empty() && b.labels[0].sv() == c.label) return &b;
  return nullptr;
}

}  // namespace

const Parts::Keys* Parts::keys_of(const syntax::Expr& object) {
  const auto [it, fresh] = keys_.try_emplace(&object, Keys());
  std::optional<Keys>& keys = it->second;
  for (size_t i = 0; fresh && keys && i + 1 < object.items.size(); i += 2) {
    const Value& key = object.items[i]->value;
    if (object.items[i]->kind != syntax::ExprKind::Literal || !key.is_string())
      keys.reset();
    else
      (*keys)[key.as_string()] = object.items[i + 1];
  }
  return keys ? &*keys : nullptr;
}

const syntax::Expr& Parts::expression(const syntax::Expr& e, const Path& path, size_t& from) {
  const syntax::Expr* at = &e;
  for (;; ++from) {
    while (at->kind == syntax::ExprKind::Parens) at = at->a;
    if (from >= path.size()) return *at;
    const PathStep& step = path[from];
    const Choice c = choice_of(step);
    if (at->kind == syntax::ExprKind::Tuple && c.position && *c.position < at->items.size()) {
      at = at->items[*c.position];
      continue;
    }
    const Keys* keys = at->kind == syntax::ExprKind::Object ? keys_of(*at) : nullptr;
    if (!keys) return *at;
    const auto found = keys->find(step.is_attr ? step.attr.sv() : c.label);
    if (found == keys->end()) return *at;
    at = found->second;
  }
}

Part Parts::at(const syntax::Content& body, const Block& s, const Path& path) {
  Part out;
  if (path.empty() || !path[0].is_attr) return out;
  const Symbol name = path[0].attr;
  if (const syntax::Attribute* a = body.find(name.sv()); a && a->expr) {
    size_t from = 1;
    out.expr = &expression(*a->expr, path, from);
    out.rest.assign(path.begin() + static_cast<std::ptrdiff_t>(from), path.end());
    out.place = out.expr->range;
    syntax::collect_traversals(*out.expr, out.reads);
    return out;
  }
  syntax::Content written;
  bool dynamic = false;
  for (const syntax::Block& b : body.blocks) {
    const bool plain = b.type == name;
    if (!plain && (b.labels.empty() || b.labels[0] != name)) continue;  // dynamic "name"
    dynamic |= !plain;
    written.blocks.push_back(b);
  }
  if (written.blocks.empty()) return out;
  out.place = written.blocks[0].def_range;
  const NestedBlock* n = find_nested(s, name.sv());
  const syntax::Block* chosen = n && !dynamic ? choose(written.blocks, *n, path) : nullptr;
  if (!chosen) {
    collect_traversals(written, s, out.reads);
    return out;
  }
  Diagnostics ignored;
  const syntax::Content inside = open_body(chosen->body, *n->block, ignored);
  const Path rest(path.begin() + (is_one(n->nesting) ? 1 : 2), path.end());
  if (Part inner = at(inside, *n->block, rest); inner.place.valid()) return inner;
  out.place = chosen->def_range;
  if (rest.empty()) collect_traversals(inside, *n->block, out.reads);
  return out;
}

bool collect_traversals_at(const syntax::Content& body, const schema::Block& s, const Path& path,
                           std::vector<const syntax::Traversal*>& out) {
  if (path.empty() || !path[0].is_attr) return false;
  std::string_view name = path[0].attr.sv();
  const NestedBlock* n = s.find_block(name);
  bool single = n && is_one(n->nesting);
  if (n && !single) return path.size() > 1;
  Diagnostics ignored;
  syntax::Content part;
  if (const syntax::Attribute* a = body.find(name)) part.attributes.push_back(*a);
  for (const syntax::Block& b : body.blocks) {
    bool plain = b.type == path[0].attr;
    if (!plain && (b.labels.empty() || b.labels[0] != path[0].attr)) continue;  // dynamic "name"
    if (single && plain && path.size() > 1)
      return collect_traversals_at(open_body(b.body, *n->block, ignored), *n->block,
                                   Path(path.begin() + 1, path.end()), out);
    part.blocks.push_back(b);
  }
  collect_traversals(part, s, out);
  return true;
}

}  // namespace xplan::schema
