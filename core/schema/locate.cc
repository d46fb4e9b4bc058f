// Finds where in a body the value at a path is written, as deep as what is written follows the path. Used to
// place provider diagnostics.
#include "core/schema/decode.h"
#include "core/schema/schema.h"
#include "core/syntax/body.h"

namespace xplan::schema {
namespace {

std::string_view name_of(const PathStep& s) {
  if (s.is_attr) return s.attr.sv();
  return s.index.is_string() ? s.index.as_string() : std::string_view();
}
std::optional<size_t> place_of(const PathStep& s) {
  if (s.is_attr || !s.index.is_number()) return std::nullopt;
  std::optional<int64_t> i = s.index.as_number().exact_int64();
  return i && *i >= 0 ? std::optional(static_cast<size_t>(*i)) : std::nullopt;
}

const JsonNode* step_into(const JsonNode& n, const PathStep& s) {
  std::optional<size_t> place = place_of(s);
  if (place && n.is_array()) return *place < n.items.size() ? n.items[*place] : nullptr;
  if (place) return *place == 0 && n.is_object() ? &n : nullptr;  // one block need not stand in an array
  if (n.is_object()) return n.find(name_of(s));
  for (const JsonNode* item : n.items)  // the members of a body may be spread over several objects
    if (const JsonNode* found = item->is_object() ? item->find(name_of(s)) : nullptr) return found;
  return nullptr;
}

Range in_json(const syntax::Body& body, const Path& path) {
  const JsonNode* at = nullptr;
  for (const JsonNode* o : body.objects)
    if (!at) at = step_into(*o, path[0]);
  bool missing = !at;
  if (missing) at = body.objects.back();
  for (size_t i = 1; i < path.size() && !missing; ++i) {
    const JsonNode* next = step_into(*at, path[i]);
    if (next)
      at = next;
    else
      missing = at->is_object() || at->is_array();
  }
  Range whole{body.file->base + at->begin, body.file->base + at->end};
  return missing ? Range{whole.end - 1, whole.end} : whole;  // where it could be added
}

Range in_expression(const syntax::Expr& e, const Path& path, size_t i) {
  if (e.kind == syntax::ExprKind::Parens) return in_expression(*e.a, path, i);
  if (i == path.size()) return e.range;
  std::optional<size_t> place = place_of(path[i]);
  if (place && e.kind == syntax::ExprKind::Tuple && *place < e.items.size())
    return in_expression(*e.items[*place], path, i + 1);
  if (!place && e.kind == syntax::ExprKind::Object)
    for (size_t k = 0; k + 1 < e.items.size(); k += 2)
      if (e.items[k]->value.is_string() && e.items[k]->value.as_string() == name_of(path[i]))
        return in_expression(*e.items[k + 1], path, i + 1);
  return e.range;
}

const syntax::Block* find_block(const syntax::Body& body, Symbol type, const PathStep* which) {
  std::optional<size_t> place = which ? place_of(*which) : std::nullopt;
  size_t before = 0;
  for (const syntax::Block* b : body.blocks) {
    if (b->type != type) continue;
    bool named = which && !which->is_attr && which->index.is_string();
    if (named ? !b->labels.empty() && b->labels[0].sv() == which->index.as_string()
              : before == place.value_or(0))
      return b;
    ++before;
  }
  return nullptr;
}

// Invalid when nothing of the path is written.
Range in_native(const syntax::Body& body, const Path& path, size_t i) {
  if (i >= path.size() || !path[i].is_attr) return {};
  for (const syntax::Attribute& a : body.attributes)
    if (a.name == path[i].attr) return a.expr ? in_expression(*a.expr, path, i + 1) : a.range;
  bool chosen = i + 1 < path.size() && !path[i + 1].is_attr;
  const syntax::Block* b = find_block(body, path[i].attr, chosen ? &path[i + 1] : nullptr);
  if (!b) return {};
  const size_t next = i + (chosen ? 2 : 1);
  if (next >= path.size()) return b->def_range;
  Range inner = in_native(b->body, path, next);
  return inner.valid() ? inner : b->body.missing_range();
}

}  // namespace

Range locate(const syntax::Body& body, const Path& path) {
  if (path.empty() || !path[0].is_attr) return {};
  return body.is_json() && body.file ? in_json(body, path) : in_native(body, path, 0);
}

Range locate_or_missing(const syntax::Body& body, const Path& path) {
  if (Range r = locate(body, path); r.valid()) return r;
  if (!body.is_json() || !body.file) return body.missing_range();
  const uint32_t end = body.file->base + body.objects.back()->end;
  return {end - 1, end};
}

}  // namespace xplan::schema
