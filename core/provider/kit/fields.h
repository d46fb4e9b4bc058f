// Fields<S>: a struct mapped to its schema, once: a row for each member, with its name and what the schema
// says.
//
//   struct Note {
//     std::string title;
//     kit::Attr<std::string> id;
//     static kit::Fields<Note> fields() {
//       return {{{"title", &Note::title, kit::required()}, {"id", &Note::id, kit::computed()}}};
//     }
//   };
//
// Who calls it: authors of providers, to declare; typed.h, to read and write objects. A member whose type is
// such a struct (or an Attr, vector, Set or map of it) is a nested attribute; with kit::block(), a block.
// Invariant: checked when compiled: members have types that codec.h knows, every member has a row, and names
// are valid; when the program starts: no name is used twice, and defaults have the type of their member.
// Cost: fields() runs once; reading and writing are linear. Thread-safety: immutable.
#pragma once
#include <any>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/provider/kit/codec.h"
#include "core/provider/kit/timeouts.h"
#include "core/schema/object_of.h"

namespace xplan::kit {

// What a field is, to be gone on with: kit::optional().sensitive().
inline Field required() {
  return Field().required();
}
inline Field optional() {
  return Field().optional();
}
inline Field computed() {
  return Field().computed();
}
inline Field optional_computed() {
  return Field().optional().computed();
}
inline Field block() {
  Field f;
  f.kind = Field::Kind::Block;
  return f;
}
template <class T>
Field defaults_to(T value) {
  if constexpr (std::convertible_to<T, std::string>)
    return Field().with_default(Value::string(std::string(value)));
  else if constexpr (std::integral<T> && !std::same_as<T, bool>)
    return Field().with_default(Value::number(static_cast<int64_t>(value)));
  else
    return Field().with_default(Codec<T>::write(value));
}

// The name of an attribute or block.
struct Name {
  consteval Name(const char* t) : text(t) {
    bool ok = (t[0] >= 'a' && t[0] <= 'z') || t[0] == '_';
    for (const char* c = t; *c; ++c)
      ok = ok && ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
    if (!ok)
      throw "a name consists of lower-case letters, digits and underscores, and does not begin with a digit";
  }
  const char* text;
};

// Mistakes that show only when the program starts: they throw std::logic_error.
void refuse_twice(const std::vector<Field>& fields, const Field& more);
void refuse_default(const Field& f);

template <class S>
struct Row {
  template <class M>
  Row(Name name, M S::*member, Field options = Field()) : field(std::move(options)) {
    static_assert(Mapped<M>,
                  "this member has a type that no attribute can have: see core/provider/kit/codec.h");
    const bool ready = field.info.type != Type();  // has a type already: timeouts
    field.info.name = Symbol(name.text);
    if (!ready) complete(field, Codec<M>::type(), Codec<M>::shape());
    is = member;
    write = [member](const S& s) { return Codec<M>::write(s.*member); };
    read = [member](const Value& v, S& s, Reader& r) { return Codec<M>::read(v, s.*member, r); };
  }
  Field field;
  std::any is;  // the pointer to the member
  std::function<Value(const S&)> write;
  std::function<bool(const Value&, S&, Reader&)> read;

 private:
  static void complete(Field& f, Type type, const Shape& shape);
};

template <class S, class... Members>
consteval size_t member_count() {
  if constexpr (requires { S{std::declval<Members>()..., std::declval<AnyMember>()}; })
    return member_count<S, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

template <class S>
class Fields {
 public:
  template <size_t N>
  Fields(Row<S> (&&rows)[N]) {
    static_assert(N == member_count<S>(), "every member of the struct needs one row in its fields()");
    for (Row<S>& r : rows) rows_.push_back(std::move(r));
    std::vector<std::pair<Symbol, Type>> attrs;
    for (const Row<S>& r : rows_) {
      refuse_twice(fields_, r.field);
      fields_.push_back(r.field);
      attrs.emplace_back(r.field.info.name, r.field.info.type);
    }
    type_ = Type::object(std::move(attrs));
    for (const Row<S>& r : rows_) places_.push_back(static_cast<size_t>(type_.find_attr(r.field.info.name)));
  }

  const std::vector<Field>& fields() const { return fields_; }
  template <class M>
  Path path(M S::*member) const {
    for (const Row<S>& r : rows_)
      if (const auto* m = std::any_cast<M S::*>(&r.is); m && *m == member)
        return {PathStep::of_attr(r.field.info.name)};
    return {};
  }
  Type type() const { return type_; }
  Value write(const S& s) const {
    std::vector<Value> attrs(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      Value v = rows_[i].write(s);
      if (v.is_null() && v.type().is_dynamic()) v = Value::null(rows_[i].field.info.type);
      attrs[places_[i]] = std::move(v);
    }
    return schema::object_of(type_, std::move(attrs));
  }
  bool read(const Value& v, S& out, Reader& reader) const {
    if (v.kind() != Kind::Obj) return reader.fail(v, type_);
    bool ok = true;
    for (const Row<S>& r : rows_) {
      const Value* a = v.find_attr(r.field.info.name.sv());
      reader.path.push_back(PathStep::of_attr(r.field.info.name));
      ok = r.read(a ? *a : Value::null(r.field.info.type), out, reader) && ok;
      reader.path.pop_back();
    }
    return ok;
  }

 private:
  std::vector<Row<S>> rows_;
  std::vector<Field> fields_;
  std::vector<size_t> places_;  // of the rows among the type's attributes
  Type type_;
};

template <class S>
concept Model = requires {
  { S::fields() } -> std::same_as<Fields<S>>;
};

template <Model S>
const Fields<S>& fields_of() {
  static const Fields<S> fields = S::fields();
  return fields;
}

template <Model S>
struct Codec<S> {
  static Type type() { return fields_of<S>().type(); }
  static Shape shape() { return {Field::Kind::Nested, Nesting::Single, &fields_of<S>().fields()}; }
  static Value write(const S& v) { return fields_of<S>().write(v); }
  static bool read(const Value& v, S& out, Reader& reader) { return fields_of<S>().read(v, out, reader); }
};

template <class S>
void Row<S>::complete(Field& f, Type type, const Shape& shape) {
  f.info.type = type;
  f.nesting = shape.nesting;
  refuse_default(f);
  if (!shape.fields) return;
  if (f.kind != Field::Kind::Block) f.kind = shape.kind;
  f.fields = *shape.fields;
}

// An object as a value, and a value as an object: nothing when it does not fit, which `diags` then say.
template <Model S>
Value to_value(const S& object) {
  return fields_of<S>().write(object);
}
template <Model S>
std::optional<S> from_value(const Value& v, ProviderDiags& diags) {
  Reader reader{diags};
  S out{};
  if (!fields_of<S>().read(v, out, reader)) return std::nullopt;
  return out;
}

// Where a message is about: kit::at(&Note::title).
template <Model S, class M>
Path at(M S::*member) {
  return fields_of<S>().path(member);
}

}  // namespace xplan::kit
