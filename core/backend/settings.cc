// Settings as JSON and as the sum that records of a backend block contain.
#include "core/backend/settings.h"

#include <fmt/format.h>
#include <zlib.h>

#include "core/backend/backend.h"
#include "core/base/json_reader.h"
#include "core/config/dialect.h"
#include "core/diag/diagnostic.h"
#include "core/schema/object_of.h"
#include "core/value/convert.h"
#include "core/value/json.h"
#include "core/value/set_order.h"

namespace xplan::backend {

Type Settings::type() const {
  const Kind* k = find_kind(kind);
  return k ? k->schema().implied_type() : values.type();
}

std::pair<Value, Type> Settings::recorded() const {
  const Kind* k = find_kind(kind);
  const Type whole = type();
  if (!k || k->additions.empty() || config::dialect() == config::Dialect::OpenTofu) return {values, whole};
  std::vector<std::pair<Symbol, Value>> kept;
  std::vector<std::pair<Symbol, Type>> types;
  for (size_t i = 0; i < whole.attr_names().size(); ++i) {
    const Symbol name = whole.attr_names()[i];
    const Value& v = *values.find_attr(name.sv());
    if (v.is_null() && k->is_addition(name.sv())) continue;
    kept.emplace_back(name, v);
    types.emplace_back(name, whole.elements()[i]);
  }
  return {Value::object(kept), Type::object(types)};
}

std::string Settings::json() const {
  const auto [kept, shape] = recorded();
  return to_json_as(kept, shape);
}

// The sum that the reference tools take: of the kind and the settings, as an element of a set is hashed.
uint32_t Settings::hash() const {
  std::string key;
  append_set_key(key, Value::tuple({Value::string(kind), recorded().first}));
  return static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const unsigned char*>(key.data()), key.size()));
}

namespace {

// An object with null for what it does not have; as it is where it has what the type does not.
Value completed(const Value& v, const Type& type) {
  if (v.is_null() || !v.is_known() || !v.type().is_object() || !type.is_object()) return v;
  for (Symbol name : v.type().attr_names())
    if (type.find_attr(name) < 0) return v;
  std::vector<std::pair<Symbol, Value>> out;
  for (size_t i = 0; i < type.attr_names().size(); ++i) {
    const Symbol name = type.attr_names()[i];
    const Value* there = v.find_attr(name.sv());
    out.emplace_back(name, there ? *there : Value::null(type.elements()[i]));
  }
  return Value::object(out);
}

}  // namespace

std::optional<NotSet> set(Settings& s, std::string_view name, const Value& value) {
  const Type shape = s.type();
  const int at = shape.find_attr(Symbol(name));
  if (at < 0) {
    std::string all;
    std::vector<std::string_view> names;
    for (Symbol known : shape.attr_names())
      all += (all.empty() ? "\"" : ", \"") + std::string(known.sv()) + '"', names.push_back(known.sv());
    return NotSet{std::move(all), "", std::string(did_you_mean(name, names))};
  }
  const size_t i = static_cast<size_t>(at);
  ConversionError why;
  auto converted = convert(completed(value, shape.elements()[i]), shape.elements()[i], &why);
  if (!converted) return NotSet{"", why.text()};
  std::vector<Value> values(s.values.elements().begin(), s.values.elements().end());
  values[i] = std::move(*converted);
  s.values = schema::object_of(shape, std::move(values));
  return std::nullopt;
}

namespace {

// Of nested blocks that are a set there are none, which is not null.
Value not_set(const schema::Block& schema, Symbol name, const Type& type) {
  for (const schema::NestedBlock& b : schema.blocks)
    if (b.type_name == name && b.nesting == schema::Nesting::Set) return Value::set(type.element(), {});
  return Value::null(type);
}

}  // namespace

Settings no_settings(std::string_view kind) {
  return *parse_settings(kind, "{}");
}

Result<Settings> parse_settings(std::string_view kind, const std::string& json) {
  Settings out{std::string(kind), Value::object({})};
  const Kind* k = find_kind(kind);
  JsonError error;
  const auto doc = JsonDocument::parse(json.empty() ? std::string_view("{}") : std::string_view(json), error);
  if (!doc || !doc->root().is_object()) return Error{"the backend settings are damaged"};
  if (!k) return out;
  const Type shape = k->schema().implied_type();
  std::vector<Value> values;
  for (size_t i = 0; i < shape.attr_names().size(); ++i) {
    const Type type = shape.elements()[i];
    const JsonNode* n = doc->root().find(shape.attr_names()[i].sv());
    Result<Value> v = n ? json_value_as(*n, type, true, true) : Value::null(type);
    if (!v)
      return Error{fmt::format("the backend setting \"{}\" is damaged: {}", shape.attr_names()[i].sv(),
                               v.error().message)};
    values.push_back(v->is_null() ? not_set(k->schema(), shape.attr_names()[i], type) : std::move(*v));
  }
  out.values = schema::object_of(shape, std::move(values));
  return out;
}

}  // namespace xplan::backend
