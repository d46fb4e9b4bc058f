// Proposed new objects: what a provider is asked to plan.
//
// Rule: a configured attribute has its configured value; a computed attribute that is not configured keeps the prior value
// (null when there is none). Blocks and nested attributes are merged element by element: lists by index, maps by key, sets by
// the elements that agree on everything configured.
#include <vector>

#include "core/schema/object_of.h"
#include "core/schema/schema.h"

namespace xplan::schema {
namespace {

Value propose_object(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks, const Value& prior,
                     const Value& config);

bool any_computed(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks) {
  for (const Attribute& a : attributes)
    if (a.computed || (a.nested && any_computed(a.nested->attributes, nullptr))) return true;
  if (blocks)
    for (const NestedBlock& b : *blocks)
      if (any_computed(b.block->attributes, &b.block->blocks)) return true;
  return false;
}

// Whether `prior` could be the object that `config` describes: equal wherever the configuration says something.
bool agrees(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks, const Value& prior, const Value& config) {
  if (prior.kind() != Kind::Obj || config.kind() != Kind::Obj) return false;
  for (const Attribute& a : attributes) {
    const Value *p = prior.find_attr(a.name.sv()), *c = config.find_attr(a.name.sv());
    if (!p || !c) return false;
    if (a.computed && c->is_null()) continue;
    if (a.nested && a.nested->nesting == Nesting::Single && p->kind() == Kind::Obj && c->kind() == Kind::Obj) {
      if (!agrees(a.nested->attributes, nullptr, *p, *c)) return false;
    } else if (!p->raw_equal(*c)) {
      return false;
    }
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      const Value *p = prior.find_attr(b.type_name.sv()), *c = config.find_attr(b.type_name.sv());
      if (!p || !c || p->kind() != c->kind()) return false;
      if (p->kind() == Kind::Obj) {
        if (!agrees(b.block->attributes, &b.block->blocks, *p, *c)) return false;
      } else if (p->kind() == Kind::Seq || p->kind() == Kind::Set || p->kind() == Kind::Map) {
        if (p->length() != c->length()) return false;
        for (size_t i = 0; i < p->length(); ++i)
          if (!agrees(b.block->attributes, &b.block->blocks, p->elements()[i], c->elements()[i])) return false;
      } else if (!p->raw_equal(*c)) {
        return false;
      }
    }
  return true;
}

Value propose_nested(Nesting nesting, const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks,
                     const Value& prior, const Value& config) {
  if (config.is_null() || config.is_unknown() || !any_computed(attributes, blocks)) return config;
  Value null_element;
  switch (nesting) {
    case Nesting::Single:
    case Nesting::Group: return propose_object(attributes, blocks, prior, config);
    case Nesting::List: {
      if (config.kind() != Kind::Seq) return config;
      std::vector<Value> out;
      for (size_t i = 0; i < config.length(); ++i) {
        bool paired = prior.kind() == Kind::Seq && i < prior.length();
        out.push_back(propose_object(attributes, blocks, paired ? prior.elements()[i] : null_element, config.elements()[i]));
      }
      return config.type().is_tuple() ? Value::tuple(std::move(out)) : Value::list(config.type().element(), std::move(out));
    }
    case Nesting::Map: {
      auto old = [&](std::string_view key) {
        const Value* p = prior.kind() == Kind::Map ? prior.find_key(key) : prior.kind() == Kind::Obj ? prior.find_attr(key) : nullptr;
        return p ? *p : null_element;
      };
      if (config.kind() == Kind::Map) {
        std::vector<std::pair<std::string, Value>> out;
        for (size_t i = 0; i < config.length(); ++i)
          out.emplace_back(std::string(config.map_key(i)), propose_object(attributes, blocks, old(config.map_key(i)), config.elements()[i]));
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
          if (!used[i] && agrees(attributes, blocks, prior.elements()[i], c)) match = &prior.elements()[i], used[i] = true;
        out.push_back(propose_object(attributes, blocks, match ? *match : null_element, c));
      }
      return Value::set(config.type().element(), std::move(out));
    }
  }
  return config;
}

Value propose_object(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks, const Value& prior,
                     const Value& config) {
  if (config.kind() != Kind::Obj) return config;
  std::vector<Value> out(config.elements().begin(), config.elements().end());
  bool has_prior = prior.kind() == Kind::Obj;
  auto old = [&](Symbol name) {
    const Value* p = has_prior ? prior.find_attr(name.sv()) : nullptr;
    return p ? *p : Value();
  };
  for (const Attribute& a : attributes) {
    int i = config.type().find_attr(a.name);
    if (i < 0) continue;
    Value& slot = out[static_cast<size_t>(i)];
    if (a.computed && slot.is_null() && has_prior) slot = old(a.name);
    else if (a.nested) slot = propose_nested(a.nested->nesting, a.nested->attributes, nullptr, old(a.name), slot);
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      int i = config.type().find_attr(b.type_name);
      if (i < 0) continue;
      Value& slot = out[static_cast<size_t>(i)];
      slot = propose_nested(b.nesting, b.block->attributes, &b.block->blocks, old(b.type_name), slot);
    }
  return object_of(config.type(), std::move(out));
}

Value unknown_object(const std::vector<Attribute>& attributes, const std::vector<NestedBlock>* blocks, const Value& config) {
  if (config.kind() != Kind::Obj) return config;
  std::vector<Value> out(config.elements().begin(), config.elements().end());
  for (const Attribute& a : attributes) {
    int i = config.type().find_attr(a.name);
    if (i >= 0 && a.computed && out[static_cast<size_t>(i)].is_null()) out[static_cast<size_t>(i)] = Value::unknown(a.type);
  }
  if (blocks)
    for (const NestedBlock& b : *blocks) {
      int i = config.type().find_attr(b.type_name);
      if (i < 0) continue;
      Value& slot = out[static_cast<size_t>(i)];
      if (slot.kind() == Kind::Obj && b.nesting != Nesting::Map) {
        slot = unknown_object(b.block->attributes, &b.block->blocks, slot);
      } else if (slot.kind() == Kind::Seq || slot.kind() == Kind::Set || slot.kind() == Kind::Map) {
        std::vector<Value> elements;
        for (const Value& e : slot.elements()) elements.push_back(unknown_object(b.block->attributes, &b.block->blocks, e));
        if (slot.kind() == Kind::Map) {
          std::vector<std::pair<std::string, Value>> entries;
          for (size_t k = 0; k < elements.size(); ++k) entries.emplace_back(std::string(slot.map_key(k)), elements[k]);
          slot = Value::map(slot.type().element(), std::move(entries));
        } else if (slot.kind() == Kind::Set) {
          slot = Value::set(slot.type().element(), std::move(elements));
        } else {
          slot = slot.type().is_tuple() ? Value::tuple(std::move(elements)) : Value::list(slot.type().element(), std::move(elements));
        }
      }
    }
  return object_of(config.type(), std::move(out));
}

}  // namespace

Value proposed_new(const Block& schema, const Value& prior, const Value& config) {
  return propose_object(schema.attributes, &schema.blocks, prior, config);
}

Value planned_unknown(const Block& schema, const Value& config) {
  return unknown_object(schema.attributes, &schema.blocks, config);
}

}  // namespace xplan::schema
