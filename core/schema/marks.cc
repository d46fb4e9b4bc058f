// Sensitive, write-only and computed attributes of a schema, applied to values.
#include <functional>

#include "core/schema/object_of.h"
#include "core/schema/schema.h"

namespace xplan::schema {
namespace {

// Rebuilds `v`, an object of a block's or nested attribute's type, with f applied to attributes it is meant
// for.
// The flag tells attributes of blocks from those of nested attributes. True: handled, do not go deeper.
using AttributeFn = std::function<bool(const Attribute&, Value&, bool of_block)>;

Value rebuild_object(const Value& v, const std::vector<Attribute>& attributes,
                     const std::vector<NestedBlock>* blocks, const AttributeFn& f);

Value each_object(const Value& v, Nesting nesting, const std::vector<Attribute>& attributes,
                  const std::vector<NestedBlock>* blocks, const AttributeFn& f) {
  if (v.is_null() || v.is_unknown()) return v;
  if (is_one(nesting)) return rebuild_object(v, attributes, blocks, f);
  std::vector<Value> elements;
  for (const Value& e : v.elements()) elements.push_back(rebuild_object(e, attributes, blocks, f));
  Value out;
  switch (v.kind()) {
    case Kind::Seq:
      out = v.type().is_tuple() ? Value::tuple(std::move(elements))
                                : Value::list(v.type().element(), std::move(elements));
      break;
    case Kind::Set:
      out = Value::set(v.type().element(), std::move(elements));
      break;
    case Kind::Map: {
      std::vector<std::pair<std::string, Value>> entries;
      for (size_t i = 0; i < elements.size(); ++i)
        entries.emplace_back(std::string(v.map_key(i)), std::move(elements[i]));
      out = Value::map(v.type().element(), std::move(entries));
      break;
    }
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      break;  // not what holds objects
    case Kind::Obj: {
      std::vector<std::pair<Symbol, Value>> attrs;
      for (size_t i = 0; i < elements.size(); ++i)
        attrs.emplace_back(v.type().attr_names()[i], std::move(elements[i]));
      out = Value::object(std::move(attrs));
    }
  }
  return out.with_marks(v.marks());
}

Value rebuild_object(const Value& v, const std::vector<Attribute>& attributes,
                     const std::vector<NestedBlock>* blocks, const AttributeFn& f) {
  if (v.kind() != Kind::Obj) return v;
  std::vector<Value> out(v.elements().begin(), v.elements().end());
  for (const Attribute& a : attributes) {
    int i = v.type().find_attr(a.name);
    if (i < 0) continue;
    Value& slot = out[static_cast<size_t>(i)];
    if (f(a, slot, blocks != nullptr) || !a.nested) continue;
    slot = each_object(slot, a.nested->nesting, a.nested->attributes, nullptr, f);
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      int i = v.type().find_attr(b.type_name);
      if (i >= 0)
        out[static_cast<size_t>(i)] =
            each_object(out[static_cast<size_t>(i)], b.nesting, b.block->attributes, &b.block->blocks, f);
    }
  return Value::object(v.type(), std::move(out)).with_marks(v.marks());
}

// What is calculated from something sensitive.
Value mark_derived(Value v, const Block& schema) {
  for (const Attribute& a : schema.attributes)
    for (Symbol source : a.derived_from) {
      const Value* from = v.find_attr(source.sv());
      const int to = v.type().find_attr(a.name);
      if (!from || to < 0 || !(from->deep_marks() & kSensitive)) continue;
      std::vector<Value> slots(v.elements().begin(), v.elements().end());
      slots[static_cast<size_t>(to)] = slots[static_cast<size_t>(to)].with_marks(kSensitive);
      v = Value::object(v.type(), std::move(slots)).with_marks(v.marks());
    }
  return v;
}

}  // namespace

Value mark_sensitive(const Value& unmarked, const Block& schema) {
  if (!schema.has_sensitive() || unmarked.is_null() || unmarked.is_unknown()) return unmarked;
  const Value v = mark_derived(unmarked, schema);
  return rebuild_object(
      v, schema.attributes, &schema.blocks, [](const Attribute& a, Value& slot, bool of_block) {
        if (a.sensitive) slot = slot.with_marks(kSensitive);
        return a.sensitive && !of_block;  // states name sensitive parts of what is sensitive in a block, too
      });
}

Value mark_sensitive(const Value& v, const Schema* schema) {
  return schema ? mark_sensitive(v, schema->block) : v;
}

std::vector<PathMarks> sensitive_paths(const Value& v, const Block& schema) {
  return marked_paths(mark_sensitive(v.unmark_deep(), schema));
}

Value strip_write_only(const Value& v, const Block& schema) {
  if (!schema.has_write_only() || v.is_null() || v.is_unknown()) return v;
  return rebuild_object(v, schema.attributes, &schema.blocks, [](const Attribute& a, Value& slot, bool) {
    // That the configuration's value is sensitive stays known.
    if (a.write_only) slot = Value::null(slot.type()).with_marks(slot.deep_marks());
    return a.write_only;
  });
}

Value strip_computed(const Value& v, const Block& schema) {
  if (v.is_null() || v.is_unknown()) return v;
  return rebuild_object(v, schema.attributes, &schema.blocks, [](const Attribute& a, Value& slot, bool) {
    bool decided = a.computed && !a.optional;
    if (decided) slot = Value::null(slot.type());
    return decided;
  });
}

bool is_write_only(const Block& schema, const Path& path) {
  const Block* block = &schema;  // null: among `attributes` of a nested attribute
  const std::vector<Attribute>* attributes = &schema.attributes;
  for (const PathStep& step : path) {
    if (!step.is_attr) continue;
    const Attribute* found = nullptr;
    for (const Attribute& a : *attributes)
      if (a.name == step.attr) found = &a;
    if (found && found->write_only) return true;
    if (found && found->nested) {
      attributes = &found->nested->attributes;
      block = nullptr;
      continue;
    }
    const NestedBlock* inner = !found && block ? block->find_block(step.attr.sv()) : nullptr;
    if (!inner) return false;
    block = inner->block.get();
    attributes = &block->attributes;
  }
  return false;
}

}  // namespace xplan::schema
