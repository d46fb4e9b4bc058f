// Replaces null nested blocks by empty collections, along the schema, in objects that plugins return.
#include "core/provider/plugin/normalize.h"

namespace xplan::plugin {
namespace {

using schema::Nesting;

Value empty_of(Type t) {
  if (t.is_list()) return Value::list(t.element(), {});
  if (t.is_set()) return Value::set(t.element(), {});
  if (t.is_map()) return Value::map(t.element(), {});
  return Value::tuple({});  // blocks whose types differ: a tuple, or an object by label
}

Value fill_block(const schema::NestedBlock& b, Type t, const Value& v) {
  if (v.is_unknown()) return v;
  if (is_one(b.nesting)) return fill_null_blocks(*b.block, v);
  if (v.is_null()) {
    if (t.is_dynamic() && b.nesting == Nesting::Map) return Value::object({});
    return empty_of(t);
  }
  std::vector<Value> elements;
  bool changed = false;
  for (const Value& e : v.elements()) {
    elements.push_back(fill_null_blocks(*b.block, e));
    changed |= !elements.back().raw_equal(e);
  }
  if (!changed) return v;
  if (v.type().is_list()) return Value::list(v.type().element(), std::move(elements));
  if (v.type().is_set()) return Value::set(v.type().element(), std::move(elements));
  if (!v.type().is_map()) return v;
  std::vector<std::pair<std::string, Value>> entries;
  for (size_t i = 0; i < elements.size(); ++i)
    entries.emplace_back(std::string(v.map_key(i)), std::move(elements[i]));
  return Value::map(v.type().element(), std::move(entries));
}

}  // namespace

Value fill_null_blocks(const schema::Block& block, const Value& v) {
  if (v.is_null() || v.is_unknown() || block.blocks.empty() || !v.type().is_object()) return v;
  std::vector<Value> attrs(v.elements().begin(), v.elements().end());
  bool changed = false;
  for (const schema::NestedBlock& b : block.blocks) {
    int i = v.type().find_attr(b.type_name);
    if (i < 0) continue;
    int own = block.implied_type().find_attr(b.type_name);
    Value filled = fill_block(b, own < 0 ? Type() : block.implied_type().elements()[own], attrs[i]);
    if (filled.raw_equal(attrs[i])) continue;
    attrs[i] = std::move(filled);
    changed = true;
  }
  if (!changed) return v;
  std::vector<std::pair<Symbol, Value>> parts;
  auto names = v.type().attr_names();
  for (size_t i = 0; i < attrs.size(); ++i) parts.emplace_back(names[i], std::move(attrs[i]));
  return Value::object(std::move(parts));
}

}  // namespace xplan::plugin
