// Writes values as JSON, in the forms that json_read.cc reads.
#include "core/value/json.h"

namespace xplan {
namespace {

// Callers convert before they write; a value that does not fit its declared type is at least written whole.
bool same_shape(Type t, Type declared) {
  return t == declared || (t.kind() == declared.kind() && t.elements().size() == declared.elements().size());
}

// `plain`: no position is wrapped, whatever the types.
void write(JsonWriter& w, const Value& v, Type declared, bool plain) {
  if (!plain && declared.is_dynamic() && !v.type().is_dynamic()) {
    w.begin_object();
    w.key("value");
    write(w, v, v.type(), !v.type().has_dynamic());
    w.key("type");
    w.raw(v.type().json());
    w.end_object();
    return;
  }
  plain = plain || !same_shape(v.type(), declared);
  switch (v.kind()) {
    case Kind::Null:
    case Kind::Unknown:
      w.null();
      return;
    case Kind::Bool:
      w.boolean(v.as_bool());
      return;
    case Kind::Int:
    case Kind::Num:
      w.raw(json_number(v.as_number()));
      return;
    case Kind::Str:
      w.string(v.as_string());
      return;
    case Kind::TypeVal:
      w.string(v.as_type().constraint_text());
      return;
    case Kind::Seq:
    case Kind::Set: {
      w.begin_array();
      auto types = !plain && declared.is_tuple() ? declared.elements() : std::span<const Type>();
      Type element = !plain && declared.is_collection() ? declared.element() : Type::dynamic();
      size_t i = 0;
      for (const Value& e : v.elements()) write(w, e, types.empty() ? element : types[i], plain), ++i;
      w.end_array();
      return;
    }
    case Kind::Map: {
      w.begin_object();
      Type element = plain ? Type::dynamic() : declared.element();
      for (size_t i = 0; i < v.length(); ++i) {
        w.key(v.map_key(i));
        write(w, v.elements()[i], element, plain);
      }
      w.end_object();
      return;
    }
    case Kind::Obj: {
      w.begin_object();
      auto names = v.type().attr_names();
      for (size_t i = 0; i < v.length(); ++i) {
        w.key(names[i].sv());
        write(w, v.elements()[i], plain ? Type::dynamic() : declared.elements()[i], plain);
      }
      w.end_object();
      return;
    }
  }
}

}  // namespace

std::string json_number(const Number& n) {
  return n.is_infinite() ? "null" : n.text();
}

void write_json(JsonWriter& w, const Value& v) {
  write(w, v, v.type(), true);
}

void write_json_as(JsonWriter& w, const Value& v, Type declared) {
  write(w, v, declared, !declared.has_dynamic());
}

std::string to_json(const Value& v) {
  JsonWriter w;
  write_json(w, v);
  return w.take();
}

std::string to_json_as(const Value& v, Type declared) {
  JsonWriter w;
  write_json_as(w, v, declared);
  return w.take();
}

}  // namespace xplan
