// Makes up the values of mocked and overridden objects, following their schema.
#include "core/test/made_up.h"

#include <mutex>
#include <random>

#include "core/schema/object_of.h"

namespace xplan::test {
namespace {

std::string random_text() {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  static std::mutex lock;
  static std::mt19937_64 numbers(std::random_device{}());
  const std::lock_guard guard(lock);
  std::string out;
  for (int i = 0; i < 8; ++i) out += kLetters[numbers() % kLetters.size()];
  return out;
}

// The part of what is given that has this name; null: nothing is.
const Value* part_of(const Value* given, std::string_view name) {
  if (!given || given->is_null()) return nullptr;
  return given->type().is_object() ? given->find_attr(name)
         : given->type().is_map()  ? given->find_key(name)
                                   : nullptr;
}

class Maker {
 public:
  Maker(Missing which, Becomes becomes, std::optional<MisfitValue>& misfit)
      : which_(which), becomes_(becomes), misfit_(misfit) {}

  Value block(const schema::Block& b, const Value& object, const Value* given) {
    return object_of(b.attributes, &b.blocks, b.implied_type(), object, given);
  }

 private:
  bool missing(const Value& v) const { return which_ == Missing::Null ? v.is_null() : v.is_unknown(); }

  Value object_of(const std::vector<schema::Attribute>& attributes,
                  const std::vector<schema::NestedBlock>* blocks, Type type, const Value& object,
                  const Value* given) {
    if (object.is_null() || object.is_unknown()) return object;
    std::vector<Value> out(object.elements().begin(), object.elements().end());
    const std::span<const Symbol> names = object.type().attr_names();
    for (size_t i = 0; i < out.size(); ++i) {
      const Value* part = part_of(given, names[i].sv());
      path_.push_back(PathStep::of_attr(names[i]));
      if (const schema::Attribute* a = find(attributes, names[i]))
        out[i] = attribute(*a, out[i], part);
      else if (blocks)
        for (const schema::NestedBlock& b : *blocks)
          if (b.type_name == names[i])
            out[i] = each(out[i], [&](const Value& v) { return block(*b.block, v, part); });
      path_.pop_back();
    }
    return schema::object_of(type, std::move(out));
  }

  static const schema::Attribute* find(const std::vector<schema::Attribute>& attributes, Symbol name) {
    for (const schema::Attribute& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }

  Value attribute(const schema::Attribute& a, const Value& v, const Value* given) {
    if (a.computed && missing(v))
      return becomes_ == Becomes::Known ? made(a.type, given) : Value::unknown(a.type);
    if (!a.nested || v.is_null() || v.is_unknown()) return v;
    auto one = [&](const Value& e) { return object_of(a.nested->attributes, nullptr, e.type(), e, given); };
    return schema::is_one(a.nested->nesting) ? one(v) : each(v, one);
  }

  // Of a block or nested attribute: one object, or a collection of them.
  template <class F>
  Value each(const Value& v, F change) {
    if (v.is_null() || v.is_unknown()) return v;
    if (v.type().is_object()) return change(v);
    std::vector<Value> out;
    for (const Value& e : v.elements()) out.push_back(change(e));
    if (v.type().is_tuple()) return Value::tuple(std::move(out));
    if (v.type().is_list()) return Value::list(v.type().element(), std::move(out));
    if (v.type().is_set()) return Value::set(v.type().element(), std::move(out));
    std::vector<std::pair<std::string, Value>> entries;
    for (size_t i = 0; i < out.size(); ++i) entries.emplace_back(v.map_key(i), std::move(out[i]));
    return Value::map(v.type().element(), std::move(entries));
  }

  Value made(Type t, const Value* given) {
    if (t.is_object() &&
        (!given || given->is_null() || given->type().is_object() || given->type().is_map())) {
      std::vector<Value> attrs;
      for (size_t i = 0; i < t.attr_names().size(); ++i) {
        const Symbol name = t.attr_names()[i];
        path_.push_back(PathStep::of_attr(name));
        attrs.push_back(made(t.elements()[i], part_of(given, name.sv())));
        path_.pop_back();
      }
      return schema::object_of(t, std::move(attrs));
    }
    if (given) return converted(t, *given);
    if (t.is_list()) return Value::list(t.element(), {});
    if (t.is_set()) return Value::set(t.element(), {});
    if (t.is_map()) return Value::map(t.element(), {});
    if (t.is_tuple()) {
      std::vector<Value> items;
      for (Type e : t.elements()) items.push_back(made(e, nullptr));
      return Value::tuple(std::move(items));
    }
    if (t == Type::number()) return Value::number(0);
    if (t == Type::boolean()) return Value::boolean(false);
    return t == Type::string() ? Value::string(random_text()) : Value::null(t);
  }

  Value converted(Type t, const Value& given) {
    ConversionError error;
    if (const auto v = convert(given, t, &error)) return *v;
    if (!misfit_) misfit_ = MisfitValue{path_, error.text()};
    return made(t, nullptr);  // as what a provider promised must come
  }

  const Missing which_;
  const Becomes becomes_;
  std::optional<MisfitValue>& misfit_;
  Path path_;
};

}  // namespace

Value make_up(const schema::Block& block, const Value& object, const Value* given, Missing which,
              Becomes becomes, std::optional<MisfitValue>& misfit) {
  return Maker(which, becomes, misfit).block(block, object, given);
}

}  // namespace xplan::test
