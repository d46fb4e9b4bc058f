// Applies ignore_changes to a configured object: single attributes, map keys, list elements, or "all".
#include "core/plan/ignore_changes.h"

namespace xplan {

Value apply_ignore_changes(const config::Resource& r, const Value& prior, const Value& config) {
  if (r.ignore == config::IgnoreKind::None || prior.is_null()) return config;
  const schema::Block& block = r.schema->block;
  if (r.ignore == config::IgnoreKind::All) {
    // What the configuration could have said: the prior object without what only the provider decides.
    return schema::strip_computed(prior, block);
  }
  Value out = config;
  for (const auto& [written, range] : r.ignore_changes) {
    Path path = written;
    // Keys are told apart in maps only: a key of an object stands for the whole object (case
    // ignore-changes-native).
    while (path.size() > 1 && !path.back().is_attr && path.back().index.is_string()) {
      auto parent = path_get(prior, Path(path.begin(), path.end() - 1));
      if (!parent || parent->kind() != Kind::Obj) break;
      path.pop_back();
    }

    std::optional<Value> old = path_get(prior, path);
    // A map key or list index that the prior object lacks: the configuration's element is left out as well.
    if (old && !path.back().is_attr && path_get(prior, Path(path.begin(), path.end() - 1))->is_null())
      old = std::nullopt;
    if (!old) {
      Path parent(path.begin(), path.end() - 1);
      if (parent.empty() || path.back().is_attr) continue;
      const Value key = path.back().index;
      out = path_update(out, parent, [&](const Value& v) {
        if (v.kind() != Kind::Map && v.kind() != Kind::Obj) return v;
        if (!key.is_string()) return v;
        std::vector<std::pair<std::string, Value>> entries;
        std::vector<std::pair<Symbol, Value>> attrs;
        for (size_t i = 0; i < v.length(); ++i) {
          std::string_view name = v.kind() == Kind::Map ? v.map_key(i) : v.type().attr_names()[i].sv();
          if (name == key.as_string()) continue;
          entries.emplace_back(std::string(name), v.elements()[i]);
          attrs.emplace_back(Symbol(name), v.elements()[i]);
        }
        Value r2 = v.kind() == Kind::Map ? Value::map(v.type().element(), std::move(entries))
                                         : Value::object(std::move(attrs));
        return r2.with_marks(v.marks());
      });
      continue;
    }
    if (path_get(out, path)) {
      out = path_update(out, path, [&](const Value&) { return *old; });
    } else if (!path.back().is_attr && path.back().index.is_string()) {
      // The configuration dropped an ignored map key: put it back.
      Path parent(path.begin(), path.end() - 1);
      out = path_update(out, parent, [&](const Value& v) {
        if (v.kind() == Kind::Map) {
          std::vector<std::pair<std::string, Value>> entries;
          for (size_t i = 0; i < v.length(); ++i)
            entries.emplace_back(std::string(v.map_key(i)), v.elements()[i]);
          entries.emplace_back(std::string(path.back().index.as_string()), *old);
          return Value::map(v.type().element(), std::move(entries)).with_marks(v.marks());
        }
        if (v.kind() == Kind::Obj) {
          std::vector<std::pair<Symbol, Value>> attrs;
          for (size_t i = 0; i < v.length(); ++i)
            attrs.emplace_back(v.type().attr_names()[i], v.elements()[i]);
          attrs.emplace_back(Symbol(path.back().index.as_string()), *old);
          return Value::object(std::move(attrs)).with_marks(v.marks());
        }
        return v;
      });
    }
  }
  return out;
}

}  // namespace xplan
