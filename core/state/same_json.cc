// Compares a JSON text with the text a value would have, without writing it.
#include "core/state/same_json.h"

#include "core/state/instance_json.h"
#include "core/state/json_scan.h"
#include "core/value/json.h"

namespace xplan {
namespace {

bool same(JsonScan& scan, const Value& v, Type declared);

// {"value": …, "type": …}
bool same_wrapped(JsonScan& scan, const Value& v) {
  std::string_view key;
  if (!scan.begin_object() || !scan.member(key) || key != "value" || !same(scan, v, v.type())) return false;
  if (!scan.member(key) || key != "type") return false;
  std::string type;
  append_json_layout(type, scan.raw(), 0, true);
  return type == v.type().json() && !scan.member(key);
}

bool same_elements(JsonScan& scan, const Value& v, Type declared) {
  bool tuple = declared.kind() == TypeKind::Tuple;
  if ((tuple && declared.elements().size() != v.length()) || !scan.begin_array()) return false;
  for (size_t i = 0; i < v.length(); ++i)
    if (!scan.item() || !same(scan, v.elements()[i], tuple ? declared.elements()[i] : declared.element()))
      return false;
  return !scan.item();
}

bool same_members(JsonScan& scan, const Value& v, Type declared) {
  bool map = v.kind() == Kind::Map;
  std::string_view key;
  if ((!map && declared.attr_names().size() != v.length()) || !scan.begin_object()) return false;
  for (size_t i = 0; i < v.length(); ++i) {
    std::string_view name = map ? v.map_key(i) : declared.attr_names()[i].sv();
    if (!scan.member(key) || key != name) return false;
    if (!same(scan, v.elements()[i], map ? declared.element() : declared.elements()[i])) return false;
  }
  return !scan.member(key);
}

bool same(JsonScan& scan, const Value& v, Type declared) {
  if (scan.take_null()) return v.is_null();
  if (v.is_null()) return false;
  if (declared.is_dynamic()) return same_wrapped(scan, v);
  if (declared.kind() != v.type().kind()) return false;
  JsonScan::Kind kind = scan.peek();
  switch (v.kind()) {
    case Kind::Bool:
      return kind == (v.as_bool() ? JsonScan::Kind::True : JsonScan::Kind::False) &&
             scan.boolean() == v.as_bool();
    case Kind::Int:
    case Kind::Num:
      return kind == JsonScan::Kind::Number && scan.raw() == json_number(v.as_number());
    case Kind::Str:
      return kind == JsonScan::Kind::String && scan.string() == v.as_string();
    case Kind::Seq:
    case Kind::Set:
      return kind == JsonScan::Kind::Array && same_elements(scan, v, declared);
    case Kind::Map:
    case Kind::Obj:
      return kind == JsonScan::Kind::Object && same_members(scan, v, declared);
    case Kind::Null:
    case Kind::Unknown:
    case Kind::TypeVal:
      return false;
  }
  return false;
}

}  // namespace

bool same_json(std::string_view json, const Value& v, Type declared) {
  JsonScan scan(json);
  return same(scan, v, declared) && !scan.failed();
}

}  // namespace xplan
