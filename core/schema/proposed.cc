// Proposed new objects: what a provider is asked to plan.
//
// Rule: a configured attribute has its configured value; a computed attribute that is not configured keeps
// the prior value (null when there is none). Blocks and nested attributes are merged element by element:
// lists by index, maps by key, sets by the elements that agree on everything configured.
#include <vector>

#include "core/schema/object_of.h"
#include "core/schema/schema.h"

namespace xplan::schema {
namespace {

Value propose_object(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
                     const Value& prior, const Value& config);

bool any_computed(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks) {
  for (const Attribute& a : attributes)
    if (a.computed || (a.nested && any_computed(a.nested->attributes, nullptr))) return true;
  if (blocks)
    for (const NestedBlock& b : *blocks)
      if (any_computed(b.block->attributes, &b.block->blocks)) return true;
  return false;
}

bool follows(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
             const Value& prior, const Value& config);

// The same for what one attribute or block type holds. What the prior value lacks says nothing against it.
bool follows_nested(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
                    const Value& prior, const Value& config) {
  if (prior.raw_equal(config) || prior.is_null()) return true;
  if ((prior.kind() == Kind::Seq || prior.kind() == Kind::Map) && prior.length() == 0) return true;
  if (config.is_null() || config.is_unknown() || prior.is_unknown() || config.kind() != prior.kind())
    return false;
  switch (prior.kind()) {
    case Kind::Obj:
      return follows(attributes, blocks, prior, config);
    case Kind::Seq:
      if (prior.length() > config.length()) return false;
      for (size_t i = 0; i < prior.length(); ++i)
        if (!follows(attributes, blocks, prior.elements()[i], config.elements()[i])) return false;
      return true;
    case Kind::Map:
      for (size_t i = 0; i < prior.length(); ++i) {
        const Value* c = config.find_key(prior.map_key(i));
        if (!c || !follows(attributes, blocks, prior.elements()[i], *c)) return false;
      }
      return true;
    case Kind::Set:
      break;  // the elements of two sets have no common names
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  return false;
}

// Whether `prior` could have come of `config`: equal, but for computed values that the configuration leaves
// out.
bool follows(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
             const Value& prior, const Value& config) {
  if (prior.kind() != Kind::Obj || config.kind() != Kind::Obj) return prior.raw_equal(config);
  for (const Attribute& a : attributes) {
    const Value *p = prior.find_attr(a.name.sv()), *c = config.find_attr(a.name.sv());
    if (!p || !c) return false;
    if (p->raw_equal(*c)) continue;
    if (a.type.is_set()) return false;  // sets are not looked into, so they must be equal
    if (a.nested ? !follows_nested(a.nested->attributes, nullptr, *p, *c) : !(a.computed && c->is_null()))
      return false;
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      const Value *p = prior.find_attr(b.type_name.sv()), *c = config.find_attr(b.type_name.sv());
      if (!p || !c || !follows_nested(b.block->attributes, &b.block->blocks, *p, *c)) return false;
    }
  return true;
}

// Whether a value has something in it that only a configuration can have said.
bool has_configured(const Object& schema, const Value& v) {
  if (v.is_null() || v.is_unknown()) return false;
  auto in_object = [&](const Value& o) {
    if (o.kind() != Kind::Obj) return false;
    for (const Attribute& a : schema.attributes) {
      const Value* slot = o.find_attr(a.name.sv());
      if (!slot || slot->is_null()) continue;
      if (!a.computed || (a.nested && has_configured(*a.nested, *slot))) return true;
    }
    return false;
  };
  if (schema.nesting == Nesting::Single) return in_object(v);
  for (const Value& e : v.elements())
    if (in_object(e)) return true;
  return false;
}

Value propose_nested(Nesting nesting, const std::vector<Attribute>& attributes,
                     const std::vector<NestedBlock>* blocks, const Value& prior, const Value& config) {
  if (config.is_null() || config.is_unknown() || !any_computed(attributes, blocks)) return config;
  Value null_element;
  switch (nesting) {
    case Nesting::Single:
    case Nesting::Group:
      return propose_object(attributes, blocks, prior, config);
    case Nesting::List: {
      if (config.kind() != Kind::Seq) return config;
      std::vector<Value> out;
      for (size_t i = 0; i < config.length(); ++i) {
        bool paired = prior.kind() == Kind::Seq && i < prior.length();
        const Value& old = paired ? prior.elements()[i] : prior.is_unknown() ? prior : null_element;
        out.push_back(propose_object(attributes, blocks, old, config.elements()[i]));
      }
      return config.type().is_tuple() ? Value::tuple(std::move(out))
                                      : Value::list(config.type().element(), std::move(out));
    }
    case Nesting::Map: {
      auto old = [&](std::string_view key) {
        const Value* p = prior.kind() == Kind::Map   ? prior.find_key(key)
                         : prior.kind() == Kind::Obj ? prior.find_attr(key)
                                                     : nullptr;
        return p ? *p : null_element;
      };
      if (config.kind() == Kind::Map) {
        std::vector<std::pair<std::string, Value>> out;
        for (size_t i = 0; i < config.length(); ++i)
          out.emplace_back(std::string(config.map_key(i)),
                           propose_object(attributes, blocks, old(config.map_key(i)), config.elements()[i]));
        return Value::map(config.type().element(), std::move(out));
      }
      if (config.kind() != Kind::Obj) return config;
      std::vector<std::pair<Symbol, Value>> out;
      for (size_t i = 0; i < config.length(); ++i) {
        Symbol name = config.type().attr_names()[i];
        out.emplace_back(name, propose_object(attributes, blocks, old(name.sv()), config.elements()[i]));
      }
      return Value::object(std::move(out));
    }
    case Nesting::Set: {
      if (config.kind() != Kind::Set) return config;
      std::vector<Value> out;
      std::vector<bool> used(prior.kind() == Kind::Set ? prior.length() : 0);
      for (const Value& c : config.elements()) {
        const Value* match = nullptr;
        for (size_t i = 0; i < used.size() && !match; ++i)
          if (!used[i] && follows(attributes, blocks, prior.elements()[i], c))
            match = &prior.elements()[i], used[i] = true;
        out.push_back(propose_object(attributes, blocks, match ? *match : null_element, c));
      }
      return Value::set(config.type().element(), std::move(out));
    }
  }
  return config;
}

Value propose_object(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
                     const Value& prior, const Value& config) {
  if (config.kind() != Kind::Obj) return config;
  std::vector<Value> out(config.elements().begin(), config.elements().end());
  auto old = [&](Symbol name, Type type) {
    if (prior.is_unknown()) return Value::unknown(type);
    const Value* p = prior.kind() == Kind::Obj ? prior.find_attr(name.sv()) : nullptr;
    return p ? *p : Value::null(type);
  };
  for (const Attribute& a : attributes) {
    int i = config.type().find_attr(a.name);
    if (i < 0) continue;
    Value& slot = out[static_cast<size_t>(i)];
    if (a.computed && slot.is_null()) {
      // An object that was configured and no longer is goes, although the provider may compute it.
      Value kept = old(a.name, a.type);
      bool dropped = a.optional && a.nested && has_configured(*a.nested, kept);
      if (!kept.is_null() && !dropped) slot = std::move(kept);
    } else if (a.nested) {
      slot = propose_nested(a.nested->nesting, a.nested->attributes, nullptr, old(a.name, a.type), slot);
    }
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      int i = config.type().find_attr(b.type_name);
      if (i < 0) continue;
      Value& slot = out[static_cast<size_t>(i)];
      slot = propose_nested(b.nesting, b.block->attributes, &b.block->blocks, old(b.type_name, slot.type()),
                            slot);
    }
  return object_of(config.type(), std::move(out));
}

}  // namespace

Value proposed_new(const Block& schema, const Value& prior, const Value& config) {
  return propose_object(schema.attributes, &schema.blocks, prior, config);
}

Value planned_unknown(const Block& schema, const Value& config) {
  // An unknown prior value is taken over wherever a known one would be. Elements of sets and maps have none.
  return propose_object(schema.attributes, &schema.blocks, Value::unknown(schema.implied_type()), config);
}

}  // namespace xplan::schema
