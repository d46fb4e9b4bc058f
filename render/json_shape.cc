// Writes what stands beside values in plan JSON: a copy of their shape with "true" where they are sensitive
// (sensitive_values, before_sensitive) or unknown (after_unknown), and the part of a value that is known.
#include "render/json_shape.h"

#include "core/value/json.h"

namespace xplan::render {
namespace {

// Whether the shadow is just `false`: asked before an object writes the member.
bool no_sensitive_shape(const Value& v) {
  return !v.has_mark(kSensitive) && (v.is_null() || v.type().is_primitive() || v.type().is_dynamic());
}
bool no_unknown_shape(const Value& v) {
  return v.is_null() || (v.is_known() && v.type().is_primitive());
}

std::string_view member_name(const Value& v, size_t i) {
  return v.kind() == Kind::Obj ? v.type().attr_names()[i].sv() : v.map_key(i);
}

bool keyed(Type t) {
  return t.is_object() || t.is_map();
}

// The shadow of a known container, with `f` writing the parts and `none` telling which members are left out.
template <class None, class F>
void write_parts(const Value& v, JsonWriter& w, None none, F f) {
  auto parts = v.elements();
  if (keyed(v.type())) {
    w.begin_object();
    for (size_t i = 0; i < parts.size(); ++i) {
      if (none(parts[i])) continue;
      w.key(member_name(v, i));
      f(parts[i], w);
    }
    w.end_object();
  } else {
    w.begin_array();
    for (const Value& e : parts) f(e, w);
    w.end_array();
  }
}

}  // namespace

void write_sensitive_shape(const Value& v, JsonWriter& w) {
  if (v.has_mark(kSensitive)) return w.boolean(true);
  if (no_sensitive_shape(v)) return w.boolean(false);
  if (v.is_unknown()) return w.raw(keyed(v.type()) ? "{}" : "[]");
  write_parts(v, w, no_sensitive_shape, write_sensitive_shape);
}

void write_unknown_shape(const Value& v, JsonWriter& w) {
  if (v.is_unknown()) return w.boolean(true);
  if (no_unknown_shape(v)) return w.boolean(false);
  write_parts(v, w, no_unknown_shape, write_unknown_shape);
}

void write_known_part(const Value& v, JsonWriter& w) {
  if (v.is_unknown()) return w.null();
  if (v.is_wholly_known() || v.is_null()) return write_json(w, v);
  write_parts(
      v, w, [](const Value& x) { return x.is_unknown(); }, write_known_part);
}

void write_path(const Path& p, JsonWriter& w) {
  w.begin_array();
  for (const PathStep& s : p) {
    if (s.is_attr)
      w.string(s.attr.sv());
    else
      write_json(w, s.index);
  }
  w.end_array();
}

}  // namespace xplan::render
