// Every provider call of the mock: log it, find the scripts that apply, delay or crash if told to, let the
// kit's provider answer, then alter the answer as the scripts say.
#include "cmd/provider-mock/mock_provider.h"

#include <ctime>

#include "cmd/provider-mock/flatmap.h"
#include "core/value/json.h"

namespace xplan::mock {
namespace {

thread_local bool malformed = false;
using Active = std::vector<const Script*>;

template <class R>
void finish(const Active& active, R& r) {
  add_diags(active, r.diags);
  malformed = false;
  for (const Script* s : active) malformed |= s->malformed;
}
Value text(std::string_view s) {
  return log_wants_values() ? Value::string(s) : Value();
}
// The identity, where there is one.
NamedValues told(NamedValues values, const Value& identity) {
  if (!identity.is_null()) values.emplace_back("identity", identity);
  return values;
}
int64_t renewal(const Active& active) {
  for (const Script* s : active)
    if (s->renew_in_s >= 0) return time(nullptr) + s->renew_in_s;
  return 0;
}
template <class R>
void defer(const Active& active, R& r) {
  for (const Script* s : active)
    if (s->deferred != Deferral::None) r.deferred = s->deferred;
}

}  // namespace

MockProvider::MockProvider(SchemaFile file, std::string dir)
    : file_(std::move(file)), store_(std::move(dir)) {
  set_config(file_.provider, {});
  set_provider_meta(file_.provider_meta);
  on_stop([] {
    log_call("stop", "", "", {});
    cut_delays_short();
  });
  for (const auto& [name, t] : file_.managed) add(name, make_resource(t, name, store_));
  for (const auto& [name, t] : file_.data) add(name, make_data(t));
  for (const auto& [name, t] : file_.ephemeral) add(name, make_ephemeral(t));
  for (const auto& [name, f] : file_.functions)
    add(name, kit::Function{f.signature,
                            [&f = f, name = name](const std::vector<Value>& arguments) -> FunctionResponse {
                              log_call("function", name, "", {{"arguments", Value::tuple(arguments)}});
                              if (!f.error.empty()) return {Value(), f.error, f.argument};
                              if (!f.result) return {arguments.empty() ? Value() : arguments[0], "", -1};
                              Result<Value> v = json_value_as(*f.result, f.signature.returns);
                              if (!v) return {Value(), v.error().message, -1};
                              return {*v, "", -1};
                            }});
}

bool MockProvider::malformed_now() {
  bool now = malformed;
  malformed = false;
  return now;
}

Type MockProvider::type_of(Mode mode, Symbol type) const {
  const schema::Schema* s = schema()->find(mode, type);
  return s ? s->block.implied_type() : Type::dynamic();
}

// Another identity, as the scripts say.
void MockProvider::name_otherwise(const std::vector<const Script*>& active, Symbol type,
                                  Value& identity) const {
  const schema::Schema* s = schema()->find_identity(type);
  for (const Script* script : active) {
    if (!s || !script->identity) continue;
    Result<Value> v = json_value_as(*script->identity, s->block.implied_type());
    if (v) identity = v->is_null() ? Value() : *v;
  }
}

// Logs, waits and dies as the scripts say, and gives those that go on to matter.
Active MockProvider::scripts(Mode mode, Symbol type, const char* call, std::string_view on,
                             const Value& subject, const NamedValues& told) {
  malformed = false;
  log_call(call, type.sv(), on, told);
  const auto& table = mode == Mode::Managed ? file_.managed
                      : mode == Mode::Data  ? file_.data
                                            : file_.ephemeral;
  const TypeBehaviour* b = &file_.behaviour;
  if (!type.empty()) {
    auto it = table.find(std::string(type.sv()));
    if (it == table.end()) return {};
    b = &it->second.behaviour;
  }
  auto found = b->calls.find(call);
  if (found == b->calls.end()) return {};
  Active active = matching(found->second, on, subject);
  delay(active);
  crash(active, "before");
  return active;
}

ProviderDiags MockProvider::validate_provider(const Value& config) {
  Active active = scripts(Mode::Managed, {}, "validate_provider", "", config, {{"config", config}});
  ProviderDiags out = kit::Provider::validate_provider(config);
  add_diags(active, out);
  return out;
}
ProviderDiags MockProvider::validate_resource(Mode mode, Symbol type, const Value& config) {
  Active active = scripts(mode, type, "validate", "", config, {{"config", config}});
  ProviderDiags out = kit::Provider::validate_resource(mode, type, config);
  add_diags(active, out);
  return out;
}
ProviderDiags MockProvider::configure(const ConfigureRequest& r) {
  Active active = scripts(Mode::Managed, {}, "configure", "", r.config, {{"config", r.config}});
  ProviderDiags out = kit::Provider::configure(r);
  add_diags(active, out);
  return out;
}

UpgradeResponse MockProvider::upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                                      const std::vector<std::pair<std::string, std::string>>& flat) {
  Active active = scripts(Mode::Managed, type, "upgrade", "", Value(),
                          {{"version", Value::number(static_cast<int64_t>(version))},
                           {"json", text(raw_json)},
                           {"flat", Value::boolean(!flat.empty())}});
  std::string json(raw_json);
  if (json.empty() && !flat.empty()) {
    Type t = type_of(Mode::Managed, type);
    json = to_json_as(from_flatmap(flat, t), t);
  }
  UpgradeResponse out = kit::Provider::upgrade(type, version, json, {});
  out.state = changed(active, out.state, type_of(Mode::Managed, type));
  finish(active, out);
  return out;
}

ReadResponse MockProvider::read(const ReadRequest& r) {
  Active active =
      scripts(Mode::Managed, r.type, "read", "", r.current,
              told({{"current", r.current}, {"private", text(r.private_data)}, {"meta", r.provider_meta}},
                   r.identity));
  ReadResponse out = kit::Provider::read(r);
  out.new_state = changed(active, out.new_state, type_of(Mode::Managed, r.type));
  name_otherwise(active, r.type, out.new_identity);
  for (const Script* s : active)
    if (s->has_private) out.private_data = s->private_data;
  defer(active, out);
  finish(active, out);
  return out;
}

PlanResponse MockProvider::plan(const PlanRequest& r) {
  const char* on = r.prior.is_null() ? "create" : r.proposed.is_null() ? "delete" : "update";
  Active active = scripts(Mode::Managed, r.type, "plan", on, r.proposed.is_null() ? r.prior : r.proposed,
                          told({{"prior", r.prior},
                                {"proposed", r.proposed},
                                {"config", r.config},
                                {"private", text(r.prior_private)},
                                {"meta", r.provider_meta}},
                               r.prior_identity));
  PlanResponse out = kit::Provider::plan(r);
  out.planned = changed(active, out.planned, type_of(Mode::Managed, r.type));
  name_otherwise(active, r.type, out.planned_identity);
  for (const Script* s : active) {
    out.legacy_type_system |= s->legacy_type_system;
    out.requires_replace.insert(out.requires_replace.end(), s->requires_replace.begin(),
                                s->requires_replace.end());
    if (s->has_private) out.planned_private = s->private_data;
  }
  defer(active, out);
  finish(active, out);
  return out;
}

ApplyResponse MockProvider::apply(const ApplyRequest& r) {
  const char* on = r.prior.is_null() ? "create" : r.planned.is_null() ? "delete" : "update";
  Active active = scripts(Mode::Managed, r.type, "apply", on, r.planned.is_null() ? r.prior : r.planned,
                          told({{"prior", r.prior},
                                {"planned", r.planned},
                                {"config", r.config},
                                {"private", text(r.planned_private)},
                                {"meta", r.provider_meta}},
                               r.planned_identity));
  ApplyResponse out;
  bool partial = false;
  for (const Script* s : active) partial |= s->partial;
  if (has_error(active) && !partial) {  // fails before anything happened
    out.new_state = r.prior;
    out.private_data = r.planned_private;
  } else {
    out = kit::Provider::apply(r);
    crash(active, "after");
    out.new_state = changed(active, out.new_state, type_of(Mode::Managed, r.type));
    name_otherwise(active, r.type, out.new_identity);
  }
  for (const Script* s : active) {
    out.legacy_type_system |= s->legacy_type_system;
    if (s->has_private) out.private_data = s->private_data;
  }
  finish(active, out);
  return out;
}

UpgradeIdentityResponse MockProvider::upgrade_identity(Symbol type, uint64_t version, std::string_view json) {
  Active active = scripts(Mode::Managed, type, "upgrade_identity", "", Value(),
                          {{"version", Value::number(static_cast<int64_t>(version))}, {"json", text(json)}});
  UpgradeIdentityResponse out = kit::Provider::upgrade_identity(type, version, json);
  name_otherwise(active, type, out.identity);
  add_diags(active, out.diags);
  return out;
}

ImportResponse MockProvider::import(const ImportRequest& r) {
  Active active =
      scripts(Mode::Managed, r.type, "import", "", Value(), told({{"id", text(r.id)}}, r.identity));
  ImportResponse out = kit::Provider::import(r);
  for (ImportedObject& o : out.objects) {
    o.state = changed(active, o.state, type_of(Mode::Managed, r.type));
    name_otherwise(active, r.type, o.identity);
  }
  defer(active, out);
  finish(active, out);
  return out;
}

GenerateConfigResponse MockProvider::generate_config(Symbol type, const Value& object) {
  Active active = scripts(Mode::Managed, type, "generate_config", "", object, {{"state", object}});
  GenerateConfigResponse out;
  if (const schema::Schema* s = schema()->find(Mode::Managed, type))
    out.config = changed(active, schema::strip_computed(object, s->block), s->block.implied_type());
  finish(active, out);
  return out;
}

UpgradeResponse MockProvider::move(const MoveStateRequest& r) {
  Active active = scripts(Mode::Managed, r.target_type, "move", "", Value(),
                          told({{"provider", text(r.source_provider.text())},
                                {"source", text(r.source_type.sv())},
                                {"version", Value::number(static_cast<int64_t>(r.source_version))},
                                {"json", text(r.source_json)},
                                {"private", text(r.source_private)}},
                               r.source_identity_json.empty() ? Value() : text(r.source_identity_json)));
  UpgradeResponse out = kit::Provider::move(r);
  out.state = changed(active, out.state, type_of(Mode::Managed, r.target_type));
  finish(active, out);
  return out;
}

ReadDataResponse MockProvider::read_data(const ReadDataRequest& r) {
  Active active =
      scripts(Mode::Data, r.type, "read", "", r.config, {{"config", r.config}, {"meta", r.provider_meta}});
  ReadDataResponse out = kit::Provider::read_data(r);
  out.state = changed(active, out.state, type_of(Mode::Data, r.type));
  defer(active, out);
  finish(active, out);
  return out;
}

OpenEphemeralResponse MockProvider::open_ephemeral(Symbol type, const Value& config) {
  Active active = scripts(Mode::Ephemeral, type, "open", "", config, {{"config", config}});
  OpenEphemeralResponse out = kit::Provider::open_ephemeral(type, config);
  out.result = changed(active, out.result, type_of(Mode::Ephemeral, type));
  out.renew_at_unix = renewal(active);
  defer(active, out);
  finish(active, out);
  return out;
}
OpenEphemeralResponse MockProvider::renew_ephemeral(Symbol type, const std::string& private_data) {
  Active active = scripts(Mode::Ephemeral, type, "renew", "", Value(), {{"private", text(private_data)}});
  OpenEphemeralResponse out = kit::Provider::renew_ephemeral(type, private_data);
  out.renew_at_unix = renewal(active);
  finish(active, out);
  return out;
}
ProviderDiags MockProvider::close_ephemeral(Symbol type, const std::string& private_data) {
  Active active = scripts(Mode::Ephemeral, type, "close", "", Value(), {{"private", text(private_data)}});
  ProviderDiags out = kit::Provider::close_ephemeral(type, private_data);
  add_diags(active, out);
  return out;
}

}  // namespace xplan::mock
