// Codec<T>: how a C++ type is a type of the language, and how its values are read and written.
//
// Who calls it: fields.h, for members of structs; kit::function, for parameters. The types: std::string,
// bool, int64_t, double, Number, Value (any type); std::vector, Set and std::map<std::string, …> of them;
// Attr of any; structs with fields() (see fields.h), and the same in each other. Contract: read() says with
// path and reason what does not fit, and returns false then. Cost: linear. Thread-safety: pure.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/provider/kit/attr.h"
#include "core/provider/kit/schema.h"

namespace xplan::kit {

// Where a value is read, and what was wrong with it.
struct Reader {
  ProviderDiags& diags;
  Path path = {};
  bool fail(const Value& v, Type wanted);
};

template <class T>
struct Codec;
template <class T>
concept Mapped = requires {
  Codec<T>::type();
};

// How a member is declared beside its type: plain, or with fields of its own.
struct Shape {
  Field::Kind kind = Field::Kind::Attribute;
  Nesting nesting = Nesting::Single;
  const std::vector<Field>* fields = nullptr;
};

#define XPLAN_KIT_CODEC(T, TYPE)                              \
  template <>                                                 \
  struct Codec<T> {                                           \
    static Type type() { return TYPE; }                       \
    static Shape shape() { return {}; }                       \
    static Value write(const T& v);                           \
    static bool read(const Value& v, T& out, Reader& reader); \
  };
XPLAN_KIT_CODEC(std::string, Type::string())
XPLAN_KIT_CODEC(bool, Type::boolean())
XPLAN_KIT_CODEC(int64_t, Type::number())
XPLAN_KIT_CODEC(double, Type::number())
XPLAN_KIT_CODEC(Number, Type::number())
XPLAN_KIT_CODEC(Value, Type::dynamic())
#undef XPLAN_KIT_CODEC

template <Mapped T>
struct Codec<Attr<T>> {
  static Type type() { return Codec<T>::type(); }
  static Shape shape() { return Codec<T>::shape(); }
  static Value write(const Attr<T>& v) {
    if (v.has_value()) return Codec<T>::write(*v);
    return v.is_unknown() ? Value::unknown(type()) : Value::null(type());
  }
  static bool read(const Value& v, Attr<T>& out, Reader& reader) {
    if (v.is_unknown()) return out = unknown, true;
    if (v.is_null()) return out = null, true;
    T inner{};
    if (!Codec<T>::read(v, inner, reader)) return false;
    return out = std::move(inner), true;
  }
};

// Elements of lists and sets.
template <class C, Type (*Of)(Type), Nesting N>
struct SequenceCodec {
  using T = typename C::value_type;
  static Type type() { return Of(Codec<T>::type()); }
  static Shape shape() {
    Shape s = Codec<T>::shape();
    s.nesting = N;
    return s;
  }
  static Value write(const C& v) {
    std::vector<Value> elements;
    for (const auto& e : v) elements.push_back(Codec<T>::write(e));
    return N == Nesting::Set ? Value::set(Codec<T>::type(), std::move(elements))
                             : Value::list(Codec<T>::type(), std::move(elements));
  }
  static bool read(const Value& v, C& out, Reader& reader) {
    if (v.kind() != Kind::Seq && v.kind() != Kind::Set) return reader.fail(v, type());
    bool ok = true;
    out.clear();
    for (size_t i = 0; i < v.length(); ++i) {
      const Value& e = v.elements()[i];
      reader.path.push_back(
          PathStep::of_index(N == Nesting::Set ? e : Value::number(static_cast<int64_t>(i))));
      T inner{};
      ok = Codec<T>::read(e, inner, reader) && ok;
      out.push_back(std::move(inner));
      reader.path.pop_back();
    }
    return ok;
  }
};
template <Mapped T>
struct Codec<std::vector<T>> : SequenceCodec<std::vector<T>, &Type::list, Nesting::List> {};
template <Mapped T>
struct Codec<Set<T>> : SequenceCodec<Set<T>, &Type::set, Nesting::Set> {};

template <Mapped T>
struct Codec<std::map<std::string, T>> {
  static Type type() { return Type::map(Codec<T>::type()); }
  static Shape shape() {
    Shape s = Codec<T>::shape();
    s.nesting = Nesting::Map;
    return s;
  }
  static Value write(const std::map<std::string, T>& v) {
    std::vector<std::pair<std::string, Value>> entries;
    for (const auto& [key, e] : v) entries.emplace_back(key, Codec<T>::write(e));
    return Value::map(Codec<T>::type(), std::move(entries));
  }
  static bool read(const Value& v, std::map<std::string, T>& out, Reader& reader) {
    if (v.kind() != Kind::Map) return reader.fail(v, type());
    bool ok = true;
    out.clear();
    for (size_t i = 0; i < v.length(); ++i) {
      reader.path.push_back(PathStep::of_index(v.map_key_value(i)));
      ok = Codec<T>::read(v.elements()[i], out[std::string(v.map_key(i))], reader) && ok;
      reader.path.pop_back();
    }
    return ok;
  }
};

}  // namespace xplan::kit
