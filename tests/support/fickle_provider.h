// A provider for tests whose answers defer things as a script says: resource type fickle_thing, data source
// fickle_data, ephemeral resource fickle_secret, each with a name, and a provider configuration with a "url".
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "core/provider/provider.h"
#include "core/value/json.h"

namespace xplan::test {

struct FickleScript {
  std::map<std::string, Deferral>
      deferrals;               // "plan NAME", "read NAME", "data NAME", "open NAME", "import ID"
  std::set<std::string> gone;  // names of objects that somebody deleted by hand
  std::mutex lock;
  std::set<std::string> calls;     // the same texts, and "configure URL", "apply NAME", "destroy NAME"
  std::set<std::string> failing;   // calls that answer with an error
  int64_t renew_at = 0;            // what ephemeral resources ask for when they are opened
  std::atomic<bool> told = false;  // whether deferral was allowed when the provider was configured
  Deferral note(const std::string& call) {
    std::lock_guard guard(lock);
    calls.insert(call);
    auto it = deferrals.find(call);
    return it == deferrals.end() ? Deferral::None : it->second;
  }
};

class FickleProvider : public Provider {
 public:
  explicit FickleProvider(FickleScript& script) : script_(script) {
    auto block = [](std::initializer_list<const char*> optional,
                    std::initializer_list<const char*> computed) {
      schema::Schema out;
      for (const char* n : optional) {
        schema::Attribute a;
        a.name = Symbol(n), a.type = Type::string(), a.optional = true;
        out.block.attributes.push_back(a);
      }
      for (const char* n : computed) {
        schema::Attribute a;
        a.name = Symbol(n), a.type = Type::string(), a.computed = true;
        out.block.attributes.push_back(a);
      }
      return out;
    };
    schema::ProviderSchema s;
    s.provider = block({"url"}, {});
    s.managed.emplace_back(Symbol("fickle_thing"), block({"name", "needs"}, {"id"}));
    s.data.emplace_back(Symbol("fickle_data"), block({"name"}, {"value"}));
    s.ephemeral.emplace_back(Symbol("fickle_secret"), block({"name"}, {"value"}));
    s.freeze();
    schema_ = std::make_shared<schema::ProviderSchema>(std::move(s));
  }
  const schema::ProviderSchemaPtr& schema() const override { return schema_; }
  ProviderDiags validate_provider(const Value&) override { return {}; }
  ProviderDiags validate_resource(Mode, Symbol, const Value&) override { return {}; }
  ProviderDiags configure(const ConfigureRequest& r) override {
    script_.note("configure " + text(r.config, "url"));
    script_.told = r.deferral_allowed;
    return {};
  }
  UpgradeResponse upgrade(Symbol type, uint64_t, std::string_view raw,
                          const std::vector<std::pair<std::string, std::string>>&) override {
    UpgradeResponse out;
    Result<Value> v = parse_json_as(raw, schema_->find(Mode::Managed, type)->block.implied_type());
    if (v)
      out.state = std::move(*v);
    else
      out.diags.push_back({Severity::Error, "Not upgraded", v.error().message, {}});
    return out;
  }
  ReadResponse read(const ReadRequest& r) override {
    ReadResponse out;
    out.deferred = script_.note("read " + text(r.current, "name"));
    bool gone = script_.gone.contains(text(r.current, "name"));
    out.new_state = gone ? Value::null(r.current.type()) : r.current;
    return out;
  }
  PlanResponse plan(const PlanRequest& r) override {
    PlanResponse out;
    bool destroy = r.proposed.is_null();
    out.deferred = script_.note("plan " + text(destroy ? r.prior : r.config, "name"));
    out.planned = r.prior.is_null() ? with(r.proposed, "id", Value::unknown(Type::string())) : r.proposed;
    return out;
  }
  ApplyResponse apply(const ApplyRequest& r) override {
    ApplyResponse out;
    bool destroy = r.planned.is_null();
    script_.note((destroy ? "destroy " : "apply ") + text(destroy ? r.prior : r.config, "name"));
    out.new_state = r.planned;
    if (!destroy && r.prior.is_null()) out.new_state = with(r.planned, "id", Value::string("id"));
    return out;
  }
  UpgradeIdentityResponse upgrade_identity(Symbol, uint64_t, std::string_view) override { return {}; }
  ImportResponse import(const ImportRequest& r) override {
    const std::string& id = r.id;
    ImportResponse out;
    out.deferred = script_.note("import " + id);
    Value none = Value::null(Type::string());
    ImportedObject o;
    o.type = r.type;
    o.state = Value::object(
        {{Symbol("name"), Value::string(id)}, {Symbol("needs"), none}, {Symbol("id"), Value::string(id)}});
    if (out.deferred == Deferral::None) out.objects.push_back(std::move(o));
    return out;
  }
  UpgradeResponse move(const MoveStateRequest&) override { return {}; }
  ReadDataResponse read_data(const ReadDataRequest& r) override {
    ReadDataResponse out;
    out.deferred = script_.note("data " + text(r.config, "name"));
    out.state = with(r.config, "value", Value::string("read"));
    if (script_.failing.contains("data " + text(r.config, "name")))
      out.diags.push_back({Severity::Error, "Not read", "The test wants it.", {}});
    return out;
  }
  OpenEphemeralResponse open_ephemeral(Symbol, const Value& config) override {
    OpenEphemeralResponse out;
    out.deferred = script_.note("open " + text(config, "name"));
    out.result = with(config, "value", Value::string("https://secret"));
    out.private_data = text(config, "name");
    out.renew_at_unix = script_.renew_at;
    return out;
  }
  OpenEphemeralResponse renew_ephemeral(Symbol, const std::string& name) override {
    OpenEphemeralResponse out;
    script_.note("renew " + name);
    if (script_.failing.contains("renew " + name))
      out.diags.push_back({Severity::Error, "Not renewed", "The test wants it.", {}});
    return out;
  }
  ProviderDiags close_ephemeral(Symbol, const std::string&) override { return {}; }
  FunctionResponse call_function(Symbol, const std::vector<Value>&) override { return {}; }
  bool plans_destroy() const override { return true; }
  void stop() override {}

 private:
  static std::string text(const Value& object, std::string_view attr) {
    const Value* v = object.kind() == Kind::Obj ? object.find_attr(attr) : nullptr;
    return v && v->is_string() ? std::string(v->as_string()) : "?";
  }
  static Value with(const Value& object, std::string_view attr, Value v) {
    std::vector<std::pair<Symbol, Value>> attrs;
    for (Symbol n : object.type().attr_names())
      attrs.emplace_back(n, n.sv() == attr ? v : object.attr(n.sv()));
    return Value::object(std::move(attrs));
  }
  FickleScript& script_;
  schema::ProviderSchemaPtr schema_;
};

class FickleFactory : public ProviderFactory {
 public:
  explicit FickleFactory(FickleScript& s) : script_(s) {}
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    if (p.type.sv() == "fickle") return std::make_shared<FickleProvider>(script_);
    return builtin_->start(p, diags);
  }

 private:
  FickleScript& script_;
  std::unique_ptr<ProviderFactory> builtin_ = make_builtin_factory();
};

}  // namespace xplan::test
