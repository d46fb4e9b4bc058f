// Applies ignore_changes to a configured object: single attributes, map keys, list elements, or "all".
#include "core/plan/ignore_changes.h"

namespace xplan {
namespace {

// Keys are told apart in maps only: a key of an object stands for the whole object (case
// ignore-changes-native).
Path path_to_ignore(Path path, const Value& prior) {
  while (path.size() > 1 && !path.back().is_attr && path.back().index.is_string()) {
    auto parent = path_get(prior, Path(path.begin(), path.end() - 1));
    if (!parent || parent->kind() != Kind::Obj) break;
    path.pop_back();
  }
  return path;
}

// A map or an object with `value` under the key, or without the key; any other value as it is.
Value with_key(const Value& v, std::string_view key, const Value* value) {
  if (v.kind() != Kind::Map && v.kind() != Kind::Obj) return v;
  const bool map = v.kind() == Kind::Map;
  std::vector<std::pair<std::string, Value>> entries;
  std::vector<std::pair<Symbol, Value>> attrs;
  auto add = [&](std::string_view name, const Value& element) {
    if (map)
      entries.emplace_back(std::string(name), element);
    else
      attrs.emplace_back(Symbol(name), element);
  };
  for (size_t i = 0; i < v.length(); ++i) {
    const std::string_view name = map ? v.map_key(i) : v.type().attr_names()[i].sv();
    if (name != key) add(name, v.elements()[i]);
  }
  if (value) add(key, *value);
  const Value out =
      map ? Value::map(v.type().element(), std::move(entries)) : Value::object(std::move(attrs));
  return out.with_marks(v.marks());
}

Value ignoring(const Path& path, const Value& prior, const Value& config) {
  const Path parent(path.begin(), path.end() - 1);
  const bool is_key = !path.back().is_attr && path.back().index.is_string();
  std::optional<Value> old = path_get(prior, path);
  // A map key or list index that the prior object lacks: the configuration's element is left out as well.
  if (old && !path.back().is_attr && path_get(prior, parent)->is_null()) old = std::nullopt;
  if (old && path_get(config, path)) return path_update(config, path, [&](const Value&) { return *old; });
  // What the configuration has added under an ignored key goes, and what it has dropped comes back.
  if (!is_key || (!old && parent.empty())) return config;
  const std::string_view key = path.back().index.as_string();
  return path_update(config, parent, [&](const Value& v) { return with_key(v, key, old ? &*old : nullptr); });
}

}  // namespace

Value apply_ignore_changes(const config::Resource& r, const Value& prior, const Value& config) {
  if (r.ignore == config::IgnoreKind::None || prior.is_null()) return config;
  const schema::Block& block = r.schema->block;
  // What the configuration could have said: the prior object without what only the provider decides.
  if (r.ignore == config::IgnoreKind::All) return schema::strip_computed(prior, block);
  Value out = config;
  for (const auto& [written, range] : r.ignore_changes)
    out = ignoring(path_to_ignore(written, prior), prior, out);
  return out;
}

}  // namespace xplan
