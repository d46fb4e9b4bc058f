// Reads types from their JSON form, as schemas and states have them. (They are written by type.cc.)
#include "core/base/json_reader.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan {

Result<Type> json_type(const JsonNode& n) {
  Error bad{"a type must be a name, or an array of a kind and its parts"};
  if (n.is_string()) {
    if (n.text == "string") return Type::string();
    if (n.text == "number") return Type::number();
    if (n.text == "bool") return Type::boolean();
    if (n.text == "dynamic") return Type::dynamic();
    return Error{"\"" + std::string(n.text) + "\" is not a valid type"};
  }
  if (!n.is_array() || n.items.size() < 2 || n.items.size() > 3 || !n.items[0]->is_string()) return bad;
  std::string_view kind = n.items[0]->text;
  const JsonNode& parts = *n.items[1];
  if (n.items.size() == 3 && (kind != "object" || !n.items[2]->is_array())) return bad;
  if (kind == "list" || kind == "set" || kind == "map") {
    Result<Type> e = json_type(parts);
    if (!e.ok()) return e;
    return kind == "list" ? Type::list(*e) : kind == "set" ? Type::set(*e) : Type::map(*e);
  }
  if (kind == "tuple" && parts.is_array()) {
    std::vector<Type> types;
    for (const JsonNode* p : parts.items) {
      Result<Type> e = json_type(*p);
      if (!e.ok()) return e;
      types.push_back(*e);
    }
    return Type::tuple(types);
  }
  if (kind == "object" && parts.is_object()) {
    std::vector<std::pair<Symbol, Type>> attrs;
    for (const JsonMember& m : parts.members) {
      if (parts.find(m.key) != m.value) continue;  // of duplicates the last one counts
      Result<Type> e = json_type(*m.value);
      if (!e.ok()) return e;
      attrs.emplace_back(Symbol(m.key), *e);
    }
    return Type::object(std::move(attrs));
  }
  return bad;
}

Result<Type> parse_type_json(std::string_view json) {
  JsonError error;
  auto doc = JsonDocument::parse(json, error, kJsonStoredDepth);
  if (!doc) return Error{error.text(json)};
  return json_type(doc->root());
}

}  // namespace xplan
