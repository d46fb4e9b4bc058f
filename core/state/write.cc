// Writes state files of version 4, and tells whether two states have the same content (then nothing is
// written and the serial stays).
#include <algorithm>

#include "core/state/check_results.h"
#include "core/state/instance_json.h"
#include "core/value/json.h"

namespace xplan {
namespace {

// How deep an instance lies: document, "resources", resource, "instances", instance.
constexpr int kInstanceDepth = 4;

bool has_values(const ResourceState& r) {
  for (const auto& [key, i] : r.instances) {
    if (i.current && i.current->value) return true;
    for (const auto& [k, o] : i.deposed)
      if (o->value) return true;
  }
  return false;
}

void write_outputs(JsonWriter& w, const State& s, bool compact) {
  w.key("outputs");
  w.begin_object();
  for (const auto& [name, o] : s.outputs) {
    w.key(name.sv());
    w.begin_object();
    Value plain = o.value.contains_marks() ? o.value.unmark_deep() : o.value;
    auto put = [&](std::string_view name, const std::string& json) {
      w.key(name);
      if (compact) return w.raw(json);
      std::string laid_out;
      append_json_layout(laid_out, json, 3);
      w.raw(laid_out);
    };
    put("value", to_json_as(plain, plain.type()));
    put("type", plain.type().json());
    if (o.sensitive) w.member("sensitive", true);
    if (!o.deprecated.empty()) w.member("deprecated", o.deprecated);
    w.end_object();
  }
  w.end_object();
}

using ResourceIterator = std::map<AbsResource, ResourceState, AddrLess>::const_iterator;

void write_resource(JsonWriter& w, InstanceWriter& instances, const std::string& module,
                    const AbsResource& addr, const ResourceState& r, const TypeSource& types) {
  w.begin_object();
  if (!module.empty()) w.member("module", module);
  w.member("mode", addr.resource.mode == Mode::Data ? "data" : "managed");
  w.member("type", addr.resource.type.sv());
  w.member("name", addr.resource.name.sv());
  const bool keyed = std::any_of(r.instances.begin(), r.instances.end(),
                                 [](const auto& i) { return !i.second.provider_key.none(); });
  if (!keyed) w.member("provider", r.provider.text());
  std::optional<Type> declared;
  if (has_values(r)) declared = types.type_of(r.provider.provider, addr.resource.mode, addr.resource.type);
  w.key("instances");
  w.begin_array();
  for (const auto& [key, i] : r.instances) {
    const std::string provider = keyed ? r.provider_of(i).text() : std::string();
    if (i.current) instances.write(w, key, {}, *i.current, declared, provider);
    for (const auto& [deposed, o] : i.deposed) instances.write(w, key, deposed, *o, declared, provider);
  }
  w.end_array();
  w.end_object();
}

}  // namespace

void write_state(const State& s, const TypeSource& types, JsonWriter& w, bool compact) {
  w.begin_object();
  w.member("version", 4);
  w.member("terraform_version", s.terraform_version);
  w.key("serial");
  w.raw(std::to_string(s.serial));
  w.member("lineage", s.lineage);
  write_outputs(w, s, compact);
  // Modules stand in the order of their text here, and only here.
  struct Group {
    std::string module;
    ResourceIterator begin, end;
  };
  std::vector<Group> groups;
  for (auto it = s.resources.begin(); it != s.resources.end();) {
    auto end = it;
    while (end != s.resources.end() && end->first.module == it->first.module) ++end;
    groups.push_back({it->first.module.text(), it, end});
    it = end;
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.module < b.module; });
  InstanceWriter instances(kInstanceDepth, compact);
  w.key("resources");
  w.begin_array();
  for (const Group& g : groups)
    for (auto it = g.begin; it != g.end; ++it)
      write_resource(w, instances, g.module, it->first, it->second, types);
  w.end_array();
  w.key("check_results");
  write_check_results(w, s.check_results);
  w.end_object();
}

std::string write_state(const State& s, const TypeSource& types) {
  JsonWriter w(2);
  write_state(s, types, w);
  std::string out = w.take();
  out += '\n';
  return out;
}

std::string write_compact_state(const State& s, const TypeSource& types) {
  JsonWriter w;
  write_state(s, types, w, true);
  return w.take();
}

namespace {

bool same_dependencies(const Dependencies& a, const Dependencies& b) {
  bool no_a = !a || a->empty(), no_b = !b || b->empty();
  return no_a || no_b ? no_a == no_b : a == b || *a == *b;
}

bool same_identity(const ObjectIdentityPtr& a, const ObjectIdentityPtr& b) {
  if (a == b || !a || !b) return a == b;
  std::string x, y;
  append_json_layout(x, a->json, 0, true);
  append_json_layout(y, b->json, 0, true);
  return a->version == b->version && x == y;
}

bool same_paths(const Object& a, const Object& b) {
  auto pa = recorded_sensitive_paths(a), pb = recorded_sensitive_paths(b);
  if (pa.size() != pb.size()) return false;
  std::sort(pa.begin(), pa.end(), path_less);
  std::sort(pb.begin(), pb.end(), path_less);
  return pa == pb;
}

std::string attributes_text(const Object& o, const std::optional<Type>& declared) {
  std::string out;
  if (o.value) {
    Value plain = o.value->contains_marks() ? o.value->unmark_deep() : *o.value;
    append_json_layout(out, to_json_as(plain, declared ? *declared : plain.type()), 0, true);
  } else {
    append_json_layout(out, o.attributes_json, 0, true);
  }
  return out;
}

bool same_object(const ObjectPtr& a, const ObjectPtr& b, const std::optional<Type>& declared) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (a->status != b->status || a->schema_version != b->schema_version ||
      a->private_data != b->private_data || !(static_cast<const RecordedLifecycle&>(*a) == *b) ||
      a->attributes_flat != b->attributes_flat)
    return false;
  if (!same_identity(a->identity, b->identity)) return false;
  if (!same_dependencies(a->dependencies, b->dependencies) || !same_paths(*a, *b)) return false;
  if (!a->value && !b->value && a->attributes_json == b->attributes_json) return true;
  return attributes_text(*a, declared) == attributes_text(*b, declared);
}

bool same_resource(const AbsResource& addr, const ResourceState& a, const ResourceState& b,
                   const TypeSource& types) {
  if (!(a.provider == b.provider) || a.instances.size() != b.instances.size()) return false;
  std::optional<Type> declared;
  if (has_values(a) || has_values(b))
    declared = types.type_of(a.provider.provider, addr.resource.mode, addr.resource.type);
  for (auto x = a.instances.begin(), y = b.instances.begin(); x != a.instances.end(); ++x, ++y) {
    if (x->first != y->first || x->second.provider_key != y->second.provider_key ||
        !same_object(x->second.current, y->second.current, declared))
      return false;
    const auto &da = x->second.deposed, &db = y->second.deposed;
    if (da.size() != db.size()) return false;
    for (auto p = da.begin(), q = db.begin(); p != da.end(); ++p, ++q)
      if (p->first != q->first || !same_object(p->second, q->second, declared)) return false;
  }
  return true;
}

std::string checks_text(const std::optional<std::vector<CheckResult>>& c) {
  JsonWriter w;
  write_check_results(w, c);
  return w.take();
}

}  // namespace

bool same_content(const State& a, const State& b, const TypeSource& types) {
  if (a.outputs.size() != b.outputs.size() || a.resources.size() != b.resources.size()) return false;
  for (auto x = a.outputs.begin(), y = b.outputs.begin(); x != a.outputs.end(); ++x, ++y)
    if (x->first != y->first || x->second.sensitive != y->second.sensitive ||
        x->second.deprecated != y->second.deprecated ||
        !x->second.value.unmark_deep().raw_equal(y->second.value.unmark_deep()))
      return false;
  for (auto x = a.resources.begin(), y = b.resources.begin(); x != a.resources.end(); ++x, ++y)
    if (!(x->first == y->first) || !same_resource(x->first, x->second, y->second, types)) return false;
  return checks_text(a.check_results) == checks_text(b.check_results);
}

}  // namespace xplan
