// Rebuilds objects from the flat attribute form of Terraform before 0.12 ("tags.%", "rule.0.name"),
// recursively along the type: lists by index, sets and maps by scanning the keys below a prefix.
#include "cmd/provider-mock/flatmap.h"

#include <cstdlib>
#include <map>
#include <set>

#include "core/value/json.h"

namespace xplan::mock {
namespace {

using Flat = std::map<std::string, std::string>;

Value value_at(const Flat& flat, const std::string& name, Type t);

Value object_at(const Flat& flat, const std::string& prefix, Type t) {
  std::vector<Value> attrs;
  for (size_t i = 0; i < t.elements().size(); ++i)
    attrs.push_back(value_at(flat, prefix + std::string(t.attr_names()[i].sv()), t.elements()[i]));
  return Value::object(t, std::move(attrs));
}

// The parts of keys that follow the prefix, up to the next dot when the elements have parts themselves.
std::set<std::string> keys_below(const Flat& flat, const std::string& prefix, bool whole) {
  std::set<std::string> out;
  for (auto it = flat.lower_bound(prefix); it != flat.end() && it->first.starts_with(prefix); ++it) {
    std::string key = it->first.substr(prefix.size());
    if (!whole) key = key.substr(0, key.find('.'));
    if (key != "#" && key != "%") out.insert(key);
  }
  return out;
}

Value value_at(const Flat& flat, const std::string& name, Type t) {
  if (t.is_object()) return object_at(flat, name + ".", t);
  if (!t.is_collection()) {
    auto it = flat.find(name);
    if (it == flat.end()) return Value::null(t);
    Result<Value> v = parse_json_as(to_json(Value::string(it->second)), t);
    return v ? *v : Value::null(t);
  }
  bool is_map = t.kind() == TypeKind::Map;
  auto count = flat.find(name + (is_map ? ".%" : ".#"));
  if (count == flat.end()) return Value::null(t);
  std::vector<Value> elements;
  std::vector<std::pair<std::string, Value>> entries;
  if (t.kind() == TypeKind::List) {
    for (int i = 0, n = atoi(count->second.c_str()); i < n; ++i)
      elements.push_back(value_at(flat, name + "." + std::to_string(i), t.element()));
    return Value::list(t.element(), std::move(elements));
  }
  for (const std::string& key : keys_below(flat, name + ".", is_map && t.element().is_primitive())) {
    Value v = value_at(flat, name + "." + key, t.element());
    if (is_map)
      entries.emplace_back(key, std::move(v));
    else
      elements.push_back(std::move(v));
  }
  if (is_map) return Value::map(t.element(), std::move(entries));
  return Value::set(t.element(), std::move(elements));
}

}  // namespace

Value from_flatmap(const std::vector<std::pair<std::string, std::string>>& flat, Type object) {
  return object_at(Flat(flat.begin(), flat.end()), "", object);
}

}  // namespace xplan::mock
