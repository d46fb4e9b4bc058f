// Walks declared fields over configuration, prior state and plan in parallel, pairing elements of lists,
// maps and sets, and rebuilds the plan where a visit changed it.
#include "core/provider/kit/walk.h"

#include <unordered_map>

#include "core/schema/object_of.h"

namespace xplan::kit {
namespace {

size_t mix(size_t h, size_t more) {
  return (h ^ more) * 0x9E3779B97F4A7C15ull + (h >> 29);
}

// A hash of what is not computed, so that a planned element finds the one it came from.
size_t fixed_hash(const std::vector<Field>& fields, const Value& v) {
  if (v.kind() != Kind::Obj) return static_cast<size_t>(v.kind());
  size_t h = 17;
  for (const Field& f : fields) {
    if (f.info.computed || f.info.write_only) continue;
    const Value& a = attribute_of(v, f.info.name);
    if (f.kind == Field::Kind::Attribute) {
      h = mix(h, a.hash());
    } else if (a.kind() == Kind::Obj && is_one(f.nesting)) {
      h = mix(h, fixed_hash(f.fields, a));
    } else if (a.kind() == Kind::Seq || a.kind() == Kind::Map || a.kind() == Kind::Obj ||
               a.kind() == Kind::Set) {
      size_t inner = a.length();  // a sum: elements of a set may have changed places
      for (const Value& e : a.elements()) inner += fixed_hash(f.fields, e);
      h = mix(h, inner);
    } else {
      h = mix(h, static_cast<size_t>(a.kind()));
    }
  }
  return h;
}

// The elements of `others` that belong to those of `plan`; null where there is none.
class SetPairs {
 public:
  SetPairs(const std::vector<Field>& fields, const Value& plan, const Value& others)
      : pairs_(plan.length(), nullptr) {
    if (others.kind() != Kind::Set) return;
    std::unordered_multimap<size_t, size_t> exact, fixed;
    std::vector<bool> used(others.length());
    for (size_t i = 0; i < others.length(); ++i) exact.emplace(others.elements()[i].hash(), i);
    for (size_t p = 0; p < pairs_.size(); ++p) {
      const Value& e = plan.elements()[p];
      auto [from, to] = exact.equal_range(e.hash());
      for (; from != to; ++from)
        if (!used[from->second] && others.elements()[from->second].raw_equal(e)) {
          take(p, others, from->second, used);
          break;
        }
    }
    for (size_t i = 0; i < others.length(); ++i)
      if (!used[i]) fixed.emplace(fixed_hash(fields, others.elements()[i]), i);
    for (size_t p = 0; p < pairs_.size() && !fixed.empty(); ++p) {
      if (pairs_[p]) continue;
      auto it = fixed.find(fixed_hash(fields, plan.elements()[p]));
      if (it == fixed.end()) continue;
      take(p, others, it->second, used);
      fixed.erase(it);
    }
  }
  const Value* at(size_t i) const { return pairs_[i]; }

 private:
  void take(size_t p, const Value& others, size_t i, std::vector<bool>& used) {
    used[i] = true;
    pairs_[p] = &others.elements()[i];
  }
  std::vector<const Value*> pairs_;
};

const Value& nothing() {
  static const Value none;
  return none;
}

class Walker {
 public:
  explicit Walker(const Visit& visit) : visit_(visit) {}

  // Each function says whether it has changed `plan`.
  bool object(const std::vector<Field>& fields, const Value& config, const Value& prior, Value& plan) {
    if (plan.kind() != Kind::Obj) return false;
    std::vector<Value> out;  // filled at the first change
    for (const Field& f : fields) {
      int i = plan.type().find_attr(f.info.name);
      if (i < 0) continue;
      size_t at = static_cast<size_t>(i);
      Value v = out.empty() ? plan.elements()[at] : out[at];
      path_.push_back(PathStep::of_attr(f.info.name));
      bool changed = field(f, attribute_of(config, f.info.name), attribute_of(prior, f.info.name), plan, v);
      path_.pop_back();
      if (!changed) continue;
      if (out.empty()) out.assign(plan.elements().begin(), plan.elements().end());
      out[at] = std::move(v);
    }
    if (out.empty()) return false;
    plan = rebuilt(plan.type(), std::move(out));
    return true;
  }

 private:
  static Value rebuilt(Type type, std::vector<Value> attrs) {
    for (size_t i = 0; i < attrs.size(); ++i)
      if (attrs[i].type() != type.elements()[i]) {
        std::vector<std::pair<Symbol, Value>> named;
        for (size_t k = 0; k < attrs.size(); ++k)
          named.emplace_back(type.attr_names()[k], std::move(attrs[k]));
        return Value::object(std::move(named));
      }
    return Value::object(type, std::move(attrs));
  }

  bool field(const Field& f, const Value& config, const Value& prior, const Value& parent, Value& v) {
    Value before = v;
    Place place{path_, config, prior, v, parent};
    Next next = visit_(f, place);
    v = std::move(place.plan);
    bool changed = !(before.kind() == v.kind() && before.raw_equal(v));
    if (next == Next::Skip || f.kind == Field::Kind::Attribute) return changed;
    return nest(f, config, prior, v) || changed;
  }

  bool element(const Field& f, PathStep step, const Value& config, const Value& prior, Value& v) {
    path_.push_back(std::move(step));
    bool changed = object(f.fields, config, prior, v);
    path_.pop_back();
    return changed;
  }

  bool nest(const Field& f, const Value& config, const Value& prior, Value& v) {
    if (is_one(f.nesting)) return object(f.fields, config, prior, v);
    bool keyed = v.kind() == Kind::Map || v.kind() == Kind::Obj;
    if (!keyed && v.kind() != Kind::Seq && v.kind() != Kind::Set) return false;
    std::vector<Value> out(v.elements().begin(), v.elements().end());
    bool changed = false;
    if (keyed) {
      auto by_key = [](const Value& container, std::string_view key) -> const Value& {
        const Value* e = container.kind() == Kind::Map   ? container.find_key(key)
                         : container.kind() == Kind::Obj ? container.find_attr(key)
                                                         : nullptr;
        return e ? *e : nothing();
      };
      for (size_t i = 0; i < out.size(); ++i) {
        std::string_view key = v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv();
        changed |= element(f, PathStep::of_index(Value::string_nfc(key)), by_key(config, key),
                           by_key(prior, key), out[i]);
      }
    } else if (v.kind() == Kind::Seq) {
      auto by_index = [](const Value& container, size_t i) -> const Value& {
        return container.kind() == Kind::Seq && i < container.length() ? container.elements()[i] : nothing();
      };
      for (size_t i = 0; i < out.size(); ++i)
        changed |= element(f, PathStep::of_index(Value::number(static_cast<int64_t>(i))), by_index(config, i),
                           by_index(prior, i), out[i]);
    } else {
      SetPairs configs(f.fields, v, config), priors(f.fields, v, prior);
      for (size_t i = 0; i < out.size(); ++i)
        changed |= element(f, PathStep::of_index(v.elements()[i]), configs.at(i) ? *configs.at(i) : nothing(),
                           priors.at(i) ? *priors.at(i) : nothing(), out[i]);
    }
    if (changed) v = refill(v, std::move(out));
    return changed;
  }

  static Value refill(const Value& old, std::vector<Value> elements) {
    switch (old.kind()) {
      case Kind::Seq:
        return old.type().is_tuple() ? Value::tuple(std::move(elements))
                                     : Value::list(old.type().element(), std::move(elements));
      case Kind::Set:
        return Value::set(old.type().element(), std::move(elements));
      case Kind::Map: {
        std::vector<std::pair<std::string, Value>> entries;
        for (size_t i = 0; i < elements.size(); ++i)
          entries.emplace_back(std::string(old.map_key(i)), std::move(elements[i]));
        return Value::map(old.type().element(), std::move(entries));
      }
      case Kind::Obj:
      case Kind::Null:
      case Kind::Unknown:
      case Kind::Bool:
      case Kind::Int:
      case Kind::Num:
      case Kind::Str:
      case Kind::TypeVal:
        break;
    }
    return rebuilt(old.type(), std::move(elements));
  }

  const Visit& visit_;
  Path path_;
};

}  // namespace

const Value& attribute_of(const Value& object, Symbol name) {
  if (object.kind() != Kind::Obj) return nothing();
  int i = object.type().find_attr(name);
  return i < 0 ? nothing() : object.elements()[static_cast<size_t>(i)];
}

Value walk_plan(const std::vector<Field>& fields, const Value& config, const Value& prior, const Value& plan,
                const Visit& visit) {
  Value out = plan;
  Walker(visit).object(fields, config, prior, out);
  return out;
}

}  // namespace xplan::kit
