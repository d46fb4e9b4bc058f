// Converts state files of versions 1 to 3 to the current model.
#include "core/state/upgrade.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/value/json.h"

namespace xplan {
namespace {

class Upgrade {
 public:
  explicit Upgrade(const JsonDocument& doc) : doc_(doc) {}

  Result<State> run() {
    const JsonNode& root = doc_.root();
    if (const JsonNode* v = root.find("terraform_version")) {
      state_.terraform_version = v->str();
      if (!state_.terraform_version.empty() && !valid_version(state_.terraform_version))
        fail(*v, "\"" + state_.terraform_version + "\" is not a valid version number");
    }
    if (const JsonNode* v = root.find("lineage")) state_.lineage = v->str();
    if (const JsonNode* v = root.find("serial"); v && !v->is_null() && !number(*v, state_.serial))
      fail(*v, "the serial must be a non-negative whole number");
    if (const JsonNode* modules = root.find("modules"))
      for (const JsonNode* m : modules->items) module(*m);
    if (!error_.empty()) return Error{error_};
    return std::move(state_);
  }

 private:
  void fail(const JsonNode& at, const std::string& phrase) {
    if (error_.empty()) error_ = "the state cannot be read: " + JsonError{phrase, at.begin}.text(doc_.text());
  }

  static bool number(const JsonNode& n, uint64_t& out) {  // old files write some numbers as strings
    if (!n.is_number() && !n.is_string()) return false;
    auto r = std::from_chars(n.text.data(), n.text.data() + n.text.size(), out);
    return r.ec == std::errc() && r.ptr == n.text.data() + n.text.size();
  }

  void module(const JsonNode& m) {
    const JsonNode* path = m.find("path");
    if (!path || path->items.empty() || path->items[0]->str() != "root")
      return fail(m, "the path of a module must begin with \"root\"");
    ModuleInstance at;
    for (size_t i = 1; i < path->items.size(); ++i) {
      if (path->items[i]->str().empty()) return fail(*path, "the path of a module must consist of names");
      at = at.child(Symbol(path->items[i]->str()), {});
    }
    if (!at.is_root()) {
      auto valid = parse_module_instance(at.text());
      if (!valid) return fail(*path, "the path of a module must consist of names");
      at = *valid;
    }
    if (const JsonNode* outputs = m.find("outputs"); outputs && at.is_root())
      for (const JsonMember& o : outputs->members) output(o);
    if (const JsonNode* resources = m.find("resources"))
      for (const JsonMember& r : resources->members) resource(at, r);
  }

  void output(const JsonMember& o) {
    const JsonNode* value = o.value;
    bool sensitive = false;
    if (value->is_object()) {
      const JsonNode* s = value->find("sensitive");
      sensitive = s && s->is_true();
      value = value->find("value");
    }
    if (!value) return fail(*o.value, "the output \"" + std::string(o.key) + "\" has no value");
    // Lists and maps of those versions held one type throughout; the first element tells.
    Type type = json_implied_type(*value);
    bool alike = !type.elements().empty() && std::all_of(type.elements().begin(), type.elements().end(),
                                                         [&](Type t) { return t == type.elements()[0]; });
    Type element = alike ? type.elements()[0] : Type::string();
    if (alike || value->items.empty()) {
      if (type.is_tuple()) type = Type::list(element);
      if (type.is_object() && (alike || value->members.empty())) type = Type::map(element);
    }
    auto v = json_value_as(*value, type);
    if (!v.ok())
      return fail(*value, "the value of the output \"" + std::string(o.key) +
                              "\" cannot be read: " + v.error().message);
    state_.outputs[Symbol(o.key)] = {std::move(*v), sensitive};
  }

  // TYPE.NAME, TYPE.NAME.INDEX and both behind "data.".
  bool address(const JsonMember& m, AbsInstance& out) {
    std::string_view rest = m.key;
    if (rest.starts_with("data.")) out.resource.mode = Mode::Data, rest.remove_prefix(5);
    size_t dot = rest.find('.');
    if (dot == std::string_view::npos || dot == 0) return false;
    out.resource.type = Symbol(rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
    dot = rest.find('.');
    if (dot != std::string_view::npos) {
      std::string_view index = rest.substr(dot + 1);
      int64_t n = 0;
      auto r = std::from_chars(index.data(), index.data() + index.size(), n);
      if (r.ec != std::errc() || r.ptr != index.data() + index.size() || n < 0) return false;
      out.key = InstanceKey::of(n);
      rest = rest.substr(0, dot);
    }
    out.resource.name = Symbol(rest);
    return is_name(out.resource.type.sv()) && is_name(rest);
  }

  // [module.NAME.]…[provider.]TYPE[.ALIAS]; without a text, by the type of the resource.
  static std::optional<ProviderConfigAddr> provider(std::string_view text, const Resource& r) {
    ProviderConfigAddr out;
    if (text.empty()) text = r.type.sv().substr(0, r.type.sv().find('_'));
    while (text.starts_with("module.")) {
      size_t dot = text.find('.', 7);
      if (dot == std::string_view::npos) return std::nullopt;
      out.module = out.module.child(Symbol(text.substr(7, dot - 7)));
      text.remove_prefix(dot + 1);
    }
    if (text.starts_with("provider.")) text.remove_prefix(9);
    size_t dot = text.find('.');
    out.provider = unnamed(text.substr(0, dot));
    if (dot != std::string_view::npos) out.alias = Symbol(text.substr(dot + 1));
    return parse_provider_config_addr(out.text());
  }
  static ProviderAddr unnamed(std::string_view type) {  // a type whose namespace was never recorded
    ProviderAddr p = default_provider(Symbol(type));
    if (!p.is_builtin()) p.ns = Symbol("-");
    return p;
  }

  void resource(ModuleInstance at, const JsonMember& m) {
    AbsInstance a;
    a.module = at;
    if (!address(m, a))
      return fail(*m.value, "\"" + std::string(m.key) + "\" is not a valid resource address");
    const JsonNode* p = m.value->find("provider");
    auto config = provider(p ? p->str() : std::string_view(), a.resource);
    if (!config)
      return fail(p ? *p : *m.value,
                  "the provider configuration of \"" + std::string(m.key) + "\" has no valid address");
    ResourceState& r = state_.resources[a.abs_resource()];
    r.provider = *config;
    const JsonNode* primary = m.value->find("primary");
    if (primary && primary->is_object()) r.instances[a.key].current = object(*primary);
    const JsonNode* deposed = m.value->find("deposed");
    if (!deposed) return;
    uint32_t n = 0;
    for (const JsonNode* d : deposed->items) {
      if (!d->is_object()) continue;
      char key[9];
      std::snprintf(key, sizeof key, "%08x", static_cast<unsigned>(++n));
      r.instances[a.key].deposed[key] = object(*d);
    }
  }

  ObjectPtr object(const JsonNode& n) {
    auto o = std::make_shared<Object>();
    if (const JsonNode* t = n.find("tainted"); t && t->is_true()) o->status = ObjectStatus::Tainted;
    if (const JsonNode* attributes = n.find("attributes"))
      for (const JsonMember& a : attributes->members) o->attributes_flat.emplace_back(a.key, a.value->str());
    const JsonNode* id = n.find("id");
    auto has_id = [](const auto& a) { return a.first == "id"; };
    if (id && !id->str().empty() &&
        std::none_of(o->attributes_flat.begin(), o->attributes_flat.end(), has_id))
      o->attributes_flat.emplace_back("id", id->str());
    std::sort(o->attributes_flat.begin(), o->attributes_flat.end());
    if (o->attributes_flat.empty()) o->attributes_json = "{}";
    if (const JsonNode* meta = n.find("meta"); meta && meta->is_object()) {
      // In the form that its writer gave it: without whitespace, members in order.
      std::map<std::string_view, const JsonNode*> rest;
      for (const JsonMember& m : meta->members) {
        if (m.key != "schema_version")
          rest[m.key] = m.value;
        else if (!number(*m.value, o->schema_version))
          fail(*m.value, "a schema version must be a whole number");
      }
      JsonWriter w;
      w.begin_object();
      for (const auto& [key, value] : rest) {
        w.key(key);
        Result<Value> v = json_value(*value);
        if (v)
          write_json(w, *v);
        else
          w.null(), fail(*value, v.error().message);
      }
      w.end_object();
      if (!rest.empty()) o->private_data = w.take();
    }
    return o;
  }

  const JsonDocument& doc_;
  State state_;
  std::string error_;
};

}  // namespace

Result<State> upgrade_state(int, std::shared_ptr<const std::string> text) {
  JsonError error;
  auto doc = JsonDocument::parse(*text, error);
  if (!doc) return Error{"the state cannot be read: " + error.text(*text)};
  return Upgrade(*doc).run();
}

}  // namespace xplan
