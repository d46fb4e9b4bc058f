// Writes state JSON, and the parts it shares with plan JSON: the module tree, values of resources, outputs,
// checks.
#include "render/json_state.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/command_line.h"
#include "core/config/version.h"
#include "core/value/json.h"
#include "render/json_shape.h"

namespace xplan::render {
namespace {

// Modules by their text, which is how they are sorted; entries keep their order.
struct ModuleNode {
  std::string text;
  std::vector<uint32_t> items;
  std::vector<uint32_t> children;
};

void write_resource(const AbsInstance& addr, const std::string& deposed, const Object& o,
                    const ResourceState& r, const schema::Schema& schema, const Value& v, JsonWriter& w) {
  w.begin_object();
  w.member("address", addr.text());
  w.member("mode", mode_name(addr.resource.mode));
  w.member("type", addr.resource.type.sv());
  w.member("name", addr.resource.name.sv());
  if (!addr.key.none()) w.key("index"), write_instance_key(addr.key, w);
  w.member("provider_name", r.provider.provider.text());
  // For deposed objects the reference tools print no version but zero.
  w.member("schema_version", deposed.empty() ? static_cast<int64_t>(schema.version) : int64_t{0});
  if (o.identity) {
    w.member("identity_schema_version", static_cast<int64_t>(o.identity->version));
    w.key("identity");
    w.raw(o.identity->json);
  }
  if (!v.is_null()) w.key("values"), write_json(w, v);
  w.key("sensitive_values");
  write_sensitive_shape(v, w);
  if (o.dependencies && !o.dependencies->empty()) {
    // By text, as in the state file.
    std::vector<std::string> texts;
    for (const ConfigResource& d : *o.dependencies) texts.push_back(d.text());
    std::sort(texts.begin(), texts.end());
    w.key("depends_on");
    w.begin_array();
    for (const std::string& t : texts) w.string(t);
    w.end_array();
  }
  if (o.status == ObjectStatus::Tainted) w.member("tainted", true);
  if (!deposed.empty()) w.member("deposed_key", deposed);
  w.end_object();
}

std::string_view status_name(CheckStatus s) {
  switch (s) {
    case CheckStatus::Unknown:
      return "unknown";
    case CheckStatus::Pass:
      return "pass";
    case CheckStatus::Fail:
      return "fail";
    case CheckStatus::Error:
      return "error";
  }
  return "unknown";
}

// Members are sorted by name.
void write_check_address(const CheckResult& c, JsonWriter& w) {
  w.begin_object();
  switch (c.kind) {
    case CheckKind::Resource:
      w.member("kind", "resource"), w.member("mode", mode_name(c.resource.resource.mode));
      break;
    case CheckKind::Output:
      w.member("kind", "output_value");
      break;
    case CheckKind::Check:
      w.member("kind", "check");
      break;
    case CheckKind::Variable:
      w.member("kind", "var");
      break;
  }
  const bool resource = c.kind == CheckKind::Resource;
  const Module module = resource ? c.resource.module : c.module;
  if (!module.is_root()) w.member("module", module.text());
  w.member("name", resource ? c.resource.resource.name.sv() : c.name.sv());
  w.member("to_display", c.config_addr);
  if (resource) w.member("type", c.resource.resource.type.sv());
  w.end_object();
}

void write_check_object(const CheckResult& c, const CheckObject& o, JsonWriter& w) {
  w.begin_object();
  w.key("address");
  w.begin_object();
  if (c.kind == CheckKind::Resource) {
    if (std::optional<AbsInstance> a = parse_abs_instance(o.object_addr)) {
      if (!a->key.none()) w.key("instance_key"), write_instance_key(a->key, w);
      if (!a->module.is_root()) w.member("module", a->module.text());
    }
  } else if (!c.module.is_root()) {
    // module.a["x"].check.c: what stands before the kind and the name.
    size_t name = o.object_addr.rfind('.');
    size_t kind =
        name == std::string::npos || name == 0 ? std::string::npos : o.object_addr.rfind('.', name - 1);
    if (kind != std::string::npos) w.member("module", std::string_view(o.object_addr).substr(0, kind));
  }
  w.member("to_display", o.object_addr);
  w.end_object();
  w.member("status", status_name(o.status));
  if (!o.failure_messages.empty()) {
    std::vector<std::string_view> messages(o.failure_messages.begin(), o.failure_messages.end());
    std::sort(messages.begin(), messages.end());
    w.key("problems");
    w.begin_array();
    for (std::string_view m : messages) {
      w.begin_object();
      w.member("message", m);
      w.end_object();
    }
    w.end_array();
  }
  w.end_object();
}

template <class T, class Name>
std::vector<const T*> sorted_by(const std::vector<T>& items, Name name) {
  std::vector<const T*> out;
  out.reserve(items.size());
  for (const T& i : items) out.push_back(&i);
  std::sort(out.begin(), out.end(), [&](const T* a, const T* b) { return name(*a) < name(*b); });
  return out;
}

}  // namespace

std::string_view mode_name(Mode m) {
  switch (m) {
    case Mode::Data:
      return "data";
    case Mode::Managed:
      return "managed";
    case Mode::Ephemeral:
      return "ephemeral";
  }
  return "managed";
}

void write_instance_key(const InstanceKey& k, JsonWriter& w) {
  switch (k.kind) {
    case InstanceKey::Kind::None:
    case InstanceKey::Kind::Unknown:
      w.null();
      break;
    case InstanceKey::Kind::Int:
      w.integer(k.number);
      break;
    case InstanceKey::Kind::String:
      w.string(k.string.sv());
      break;
  }
}

void write_checks(const std::vector<CheckResult>& checks, JsonWriter& w) {
  w.begin_array();
  for (const CheckResult* c :
       sorted_by(checks, [](const CheckResult& c) -> const std::string& { return c.config_addr; })) {
    w.begin_object();
    w.key("address");
    write_check_address(*c, w);
    w.member("status", status_name(c->status));
    if (!c->objects.empty()) {
      w.key("instances");
      w.begin_array();
      for (const CheckObject* o :
           sorted_by(c->objects, [](const CheckObject& o) -> const std::string& { return o.object_addr; }))
        write_check_object(*c, *o, w);
      w.end_array();
    }
    w.end_object();
  }
  w.end_array();
}

void write_module_tree(const std::vector<ModuleEntry>& entries, const std::function<void(uint32_t)>& write,
                       JsonWriter& w) {
  std::vector<ModuleNode> nodes(1);
  std::unordered_map<uint32_t, uint32_t> index{{0, 0}};  // ModuleInstance id → node
  for (const ModuleEntry& e : entries) {
    // The first entry of a module makes its node and those of the modules around it.
    if (auto known = index.find(e.module.id()); known != index.end()) {
      nodes[known->second].items.push_back(e.item);
      continue;
    }
    uint32_t at = 0;
    for (ModuleInstance m : e.module.chain()) {
      auto [it, fresh] = index.emplace(m.id(), static_cast<uint32_t>(nodes.size()));
      if (fresh) {
        nodes[at].children.push_back(it->second);
        nodes.push_back({m.text(), {}, {}});
      }
      at = it->second;
    }
    nodes[at].items.push_back(e.item);
  }
  // An explicit stack: modules may be nested deeper than the call stack allows.
  struct Frame {
    uint32_t node;
    size_t next;
  };
  auto open = [&](uint32_t id) {
    ModuleNode& n = nodes[id];
    w.begin_object();
    if (!n.items.empty()) {
      w.key("resources");
      w.begin_array();
      for (uint32_t i : n.items) write(i);
      w.end_array();
    }
    if (!n.text.empty()) w.member("address", n.text);
    std::sort(n.children.begin(), n.children.end(),
              [&](uint32_t a, uint32_t b) { return nodes[a].text < nodes[b].text; });
    if (!n.children.empty()) w.key("child_modules"), w.begin_array();
  };
  std::vector<Frame> stack{{0, 0}};
  open(0);
  while (!stack.empty()) {
    Frame& f = stack.back();
    const ModuleNode& n = nodes[f.node];
    if (f.next < n.children.size()) {
      uint32_t child = n.children[f.next++];
      open(child);
      stack.push_back({child, 0});
      continue;
    }
    if (!n.children.empty()) w.end_array();
    w.end_object();
    stack.pop_back();
  }
}

std::optional<Value> decode_object(const Object& object, const schema::Schema* schema,
                                   const std::string& address, Diagnostics& diags) {
  if (!schema) {
    diags
        .error("Unknown resource type", "The object of " + address +
                                            " cannot be shown, because no installed provider has a schema "
                                            "for its type. Run " +
                                            own_command("init") + " to install the provider.")
        .address = address;
    return std::nullopt;
  }
  const Type type = schema->block.implied_type();
  Value v;
  if (object.value) {
    v = *object.value;
  } else {
    if (object.schema_version > schema->version) {
      diags
          .error("Object of a newer provider", "The object of " + address + " was stored with version " +
                                                   std::to_string(object.schema_version) +
                                                   " of its schema, but the installed provider has version " +
                                                   std::to_string(schema->version) +
                                                   ". Use a newer version of the provider.")
          .address = address;
      return std::nullopt;
    }
    // Members that an older schema had and this one has not are passed over: they are migrated when a plan is
    // made.
    Result<Value> decoded = parse_json_as(object.attributes_json.empty() ? "{}" : object.attributes_json,
                                          type, true, object.schema_version < schema->version);
    if (!decoded) {
      diags
          .error("Object does not match its schema",
                 "The object of " + address + " in the state cannot be read: " + decoded.error().message +
                     ". If the provider was upgraded, create a plan to upgrade its objects.")
          .address = address;
      return std::nullopt;
    }
    v = std::move(*decoded);
    if (!object.sensitive_paths.empty()) v = mark_at_paths(v, object.sensitive_paths);
  }
  return schema::mark_sensitive(v, schema->block);
}

void write_state_outputs(const State& state, JsonWriter& w) {
  if (state.outputs.empty()) return;
  w.key("outputs");
  w.begin_object();
  for (const auto& [name, o] : state.outputs) {
    w.key(name.sv());
    w.begin_object();
    w.member("sensitive", o.sensitive);
    if (!o.deprecated.empty()) w.member("deprecated", o.deprecated);
    w.key("value");
    write_json(w, o.value);
    w.key("type");
    w.raw(o.value.type().json());
    w.end_object();
  }
  w.end_object();
}

bool write_root_module(const State& state, const schema::Lookup& schemas, Unreadable unreadable,
                       JsonWriter& w, Diagnostics& diags) {
  Diagnostics found;
  bool good = true;
  struct Item {
    AbsInstance addr;
    const ResourceState* resource;
    const std::string* deposed;
    const Object* object;
    const schema::Schema* schema;  // one of `held`
  };
  static const std::string current;
  std::vector<Item> items;
  std::vector<schema::SchemaPtr> held;
  std::vector<ModuleEntry> entries;
  for (const auto& [addr, r] : state.resources) {
    held.push_back(schemas ? schemas(r.provider.provider, addr.resource.mode, addr.resource.type) : nullptr);
    auto add = [&, &addr = addr, &r = r](const InstanceKey& key, const std::string& deposed,
                                         const ObjectPtr& o) {
      entries.push_back({addr.module, static_cast<uint32_t>(items.size())});
      items.push_back({{addr.module, addr.resource, key}, &r, &deposed, o.get(), held.back().get()});
    };
    for (const auto& [key, i] : r.instances) {
      if (i.current) add(key, current, i.current);
      for (const auto& [deposed, o] : i.deposed) add(key, deposed, o);
    }
  }
  w.key("root_module");
  write_module_tree(
      entries,
      [&](uint32_t n) {
        const Item& i = items[n];
        if (!good) return;
        std::optional<Value> v = decode_object(*i.object, i.schema, i.addr.text(), found);
        if (!v)
          good = unreadable == Unreadable::LeftOut;
        else
          write_resource(i.addr, *i.deposed, *i.object, *i.resource, *i.schema, *v, w);
      },
      w);
  if (unreadable == Unreadable::LeftOut)
    for (Diagnostic& d : found.mutable_all()) d.severity = Severity::Warning;
  for (Diagnostic& d : found.mutable_all()) diags.add(std::move(d));
  return good;
}

bool write_state_json(const State& state, const schema::Lookup& schemas, Unreadable unreadable, JsonWriter& w,
                      Diagnostics& diags) {
  w.begin_object();
  w.member("format_version", "1.0");
  if (state.empty()) {  // whatever it has of checks
    w.end_object();
    return true;
  }
  w.member("terraform_version",
           state.terraform_version.empty() ? kLanguageVersion : std::string_view(state.terraform_version));
  w.key("values");
  w.begin_object();
  write_state_outputs(state, w);
  const bool good = write_root_module(state, schemas, unreadable, w, diags);
  w.end_object();
  if (state.check_results && !state.check_results->empty())
    w.key("checks"), write_checks(*state.check_results, w);
  w.end_object();
  return good;
}

}  // namespace xplan::render
