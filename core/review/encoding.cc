// Writes values in the encoding of effects.
#include "core/review/encoding.h"

#include "core/value/json.h"

namespace xplan::review {
namespace {

void put_text(std::string& out, std::string_view s) {
  out += 's';
  out += std::to_string(s.size());
  out += ':';
  out += s;
}

// `secret` null: marks mean nothing, for what is hidden as a whole.
void put_value(std::string& out, std::string* secret, const Value& v) {
  if (v.is_unknown()) {
    out += secret && v.marks() ? 'x' : 'u';
    return;
  }
  if (secret && v.marks()) {
    out += 'h';
    put_value(*secret, nullptr, v);
    return;
  }
  switch (v.kind()) {
    case Kind::Null:
    case Kind::Unknown:
    case Kind::TypeVal:
      out += 'n';
      return;
    case Kind::Bool:
      out += v.is_true() ? 't' : 'f';
      return;
    case Kind::Int:
    case Kind::Num:
      out += 'd' + json_number(v.as_number()) + ';';
      return;
    case Kind::Str:
      return put_text(out, v.as_string());
    case Kind::Seq:
    case Kind::Set:
      out += 'l';
      for (const Value& e : v.elements()) put_value(out, secret, e);
      out += 'e';
      return;
    case Kind::Map:
    case Kind::Obj: {
      const bool map = v.kind() == Kind::Map;
      const auto values = v.elements();
      out += 'm';
      for (size_t i = 0; i < values.size(); ++i) {
        put_text(out, map ? v.map_key(i) : v.type().attr_names()[i].sv());
        put_value(out, secret, values[i]);
      }
      out += 'e';
      return;
    }
  }
}

}  // namespace

Encoder& Encoder::text(std::string_view s) {
  put_text(bytes, s);
  return *this;
}

Encoder& Encoder::hidden(std::string_view s) {
  put('h');
  put_text(secret, s);
  return *this;
}

Encoder& Encoder::value(const Value& v) {
  put_value(bytes, &secret, v);
  return *this;
}

Encoder& Encoder::path(const Path& p) {
  begin_list();
  for (const PathStep& s : p) s.is_attr ? text(s.attr.sv()) : value(s.index);
  return end();
}

Encoder& Encoder::raw(std::string_view encoded) {
  bytes += encoded;
  return *this;
}

}  // namespace xplan::review
