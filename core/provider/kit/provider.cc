// kit::Provider: dispatches each provider call to the declared resource, data source, ephemeral resource or
// function, with validation, private data and identities handled around it.
#include "core/provider/kit/provider.h"

#include <fmt/format.h>

#include "core/provider/kit/validate.h"
#include "core/schema/object_of.h"
#include "core/value/json.h"

namespace xplan::kit {
namespace {

PrivateData decoded(const std::string& bytes) {
  Result<PrivateData> d = PrivateData::decode(bytes);
  return d ? *d : PrivateData();
}

// Bytes that are not the kit's own (of an object of another program) stay until something is kept.
std::string encoded(const PrivateData& d, const std::string& before) {
  if (d.empty() && !before.empty() && !PrivateData::decode(before)) return before;
  return d.encode();
}

}  // namespace

void Provider::set_config(Schema s, std::function<ConfigureResult(const ConfigureRequest&)> on_configure,
                          std::function<void(const Value&, ProviderDiags&)> validate) {
  config_ = std::move(s);
  on_configure_ = std::move(on_configure);
  validate_ = std::move(validate);
}
void Provider::set_provider_meta(Schema s) {
  provider_meta_ = std::move(s);
}
void Provider::add(std::string_view type, std::unique_ptr<Resource> r) {
  Schema s = r->schema();
  resources_[Symbol(type)] = {std::move(r), std::move(s)};
}
void Provider::add(std::string_view type, std::unique_ptr<DataSource> d) {
  Schema s = d->schema();
  data_[Symbol(type)] = {std::move(d), std::move(s)};
}
void Provider::add(std::string_view type, std::unique_ptr<Ephemeral> e) {
  Schema s = e->schema();
  ephemerals_[Symbol(type)] = {std::move(e), std::move(s)};
}
void Provider::add(std::string_view name, Function f) {
  functions_[Symbol(name)] = std::move(f);
}

template <class T>
void Provider::freeze(Table<T>& table, const std::vector<std::pair<Symbol, schema::Schema>>& schemas) const {
  auto it = table.begin();  // both are sorted by name
  for (const auto& [name, s] : schemas) (it++)->second.impl->type_ = s.block.implied_type();
}

void Provider::freeze_all() const {
  auto out = std::make_shared<schema::ProviderSchema>();
  out->provider = to_schema(config_);
  out->provider_meta = to_schema(provider_meta_);
  for (const auto& [name, e] : resources_) {
    out->managed.emplace_back(name, to_schema(e.schema));
    if (Identity i = e.impl->identity(); !i.fields.empty()) {
      Schema s;
      s.version = i.version;
      s.fields = std::move(i.fields);
      out->identities.emplace_back(name, to_schema(s));
    }
  }
  for (const auto& [name, e] : data_) out->data.emplace_back(name, to_schema(e.schema));
  for (const auto& [name, e] : ephemerals_) out->ephemeral.emplace_back(name, to_schema(e.schema));
  for (const auto& [name, f] : functions_) out->functions.emplace_back(name, f.signature);
  out->freeze();
  freeze(resources_, out->managed);
  freeze(data_, out->data);
  freeze(ephemerals_, out->ephemeral);
  schema_ = std::move(out);
}

const schema::ProviderSchemaPtr& Provider::schema() const {
  std::call_once(frozen_, [this] { freeze_all(); });
  return schema_;
}

Value Provider::identity_of(Symbol type, const Value& object) const {
  const schema::Schema* s = schema()->find_identity(type);
  if (!s || object.is_null()) return {};
  Object out = Object::blank(s->block.implied_type());
  Object from(object);
  for (const schema::Attribute& a : s->block.attributes) out.set(a.name.sv(), from.get(a.name.sv()));
  return out.value();
}

template <class T>
Provider::Entry<T>* Provider::find(Table<T>& table, Symbol type, std::string_view what,
                                   ProviderDiags& diags) {
  schema();  // whoever calls first
  auto it = table.find(type);
  if (it != table.end()) return &it->second;
  add_error(diags, "Unsupported type", fmt::format("This provider has no {} \"{}\".", what, type.sv()));
  return nullptr;
}

ProviderDiags Provider::validate_provider(const Value& config) {
  ProviderDiags diags;
  validate_fields(config_, config, diags);
  if (validate_) validate_(config, diags);
  return diags;
}

ProviderDiags Provider::validate_resource(Mode mode, Symbol type, const Value& config) {
  ProviderDiags diags;
  auto check = [&](auto* e) {
    if (!e) return;
    validate_fields(e->schema, config, diags);
    e->impl->validate(config, diags);
  };
  switch (mode) {
    case Mode::Managed:
      check(find(resources_, type, "resource type", diags));
      break;
    case Mode::Data:
      check(find(data_, type, "data source", diags));
      break;
    case Mode::Ephemeral:
      check(find(ephemerals_, type, "ephemeral resource type", diags));
      break;
  }
  return diags;
}

ProviderDiags Provider::configure(const ConfigureRequest& r) {
  deferral_allowed_ = r.deferral_allowed;
  if (!on_configure_) return {};
  ConfigureResult result = on_configure_(r);
  deferred_ = r.deferral_allowed ? result.deferred : Deferral::None;
  return std::move(result.diags);
}

UpgradeResponse Provider::upgrade(Symbol type, uint64_t version, std::string_view raw_json,
                                  const std::vector<std::pair<std::string, std::string>>& flat) {
  UpgradeResponse out;
  Entry<Resource>* e = find(resources_, type, "resource type", out.diags);
  if (!e) return out;
  if (raw_json.empty() && !flat.empty()) {
    add_error(out.diags, "Unsupported state",
              fmt::format("The state of an object of type \"{}\" has the format of Terraform before 0.12, "
                          "which this provider never wrote.",
                          type.sv()));
    return out;
  }
  if (version != e->schema.version) {
    out.state = e->impl->upgrade(version, raw_json, out.diags);
    return out;
  }
  Result<Value> v = parse_json_as(raw_json, e->impl->type_, true, true);
  if (v)
    out.state = *v;
  else
    add_error(out.diags, "Invalid object in state",
              "The recorded attributes cannot be read: " + v.error().message + ".");
  return out;
}

ReadResponse Provider::read(const ReadRequest& r) {
  ReadResponse out;
  out.new_state = r.current;
  out.private_data = r.private_data;
  out.new_identity = r.identity;
  Entry<Resource>* e = find(resources_, r.type, "resource type", out.diags);
  if (!e) return out;
  if (deferred_ != Deferral::None) {
    out.deferred = deferred_;
    return out;
  }
  StateResponse s{r.current, decoded(r.private_data), {}, Deferral::None};
  e->impl->read(r.current, r.provider_meta, s);
  out.new_state = s.state.is_null()
                      ? Value::null(e->impl->type_)
                      : without_write_only(e->schema, keep_equivalent(e->schema, r.current, s.state));
  out.private_data = encoded(s.private_data, r.private_data);
  if (!out.new_state.is_null()) out.new_identity = identity_of(r.type, out.new_state);
  out.diags = std::move(s.diags);
  out.deferred = s.deferred;
  return out;
}

PlanResponse Provider::plan(const PlanRequest& r) {
  PlanResponse out;
  Entry<Resource>* e = find(resources_, r.type, "resource type", out.diags);
  if (!e) return out;
  if (deferred_ != Deferral::None) {
    out = plan_change(e->schema, e->impl->type_, r, {}, deferral_allowed_);
    out.deferred = deferred_;
    return out;
  }
  out = plan_change(
      e->schema, e->impl->type_, r,
      [&](const ModifyPlanRequest& q, ModifyPlanResponse& a) { e->impl->modify_plan(q, a); },
      deferral_allowed_);
  out.planned_identity = r.prior_identity.is_null() ? identity_of(r.type, out.planned) : r.prior_identity;
  return out;
}

ApplyResponse Provider::apply(const ApplyRequest& r) {
  ApplyResponse out;
  out.new_identity = r.planned_identity;
  out.private_data = r.planned_private;
  Entry<Resource>* e = find(resources_, r.type, "resource type", out.diags);
  if (!e) return out;
  Type type = e->impl->type_;
  bool create = r.prior.is_null(), remove = r.planned.is_null();
  StateResponse s{create ? Value::null(type) : r.prior, decoded(r.planned_private), {}, Deferral::None};
  ChangeRequest q{r.prior, r.planned, r.config, r.provider_meta};
  if (remove)
    e->impl->remove(q, s);
  else if (create)
    e->impl->create(q, s);
  else
    e->impl->update(q, s);
  bool failed = has_errors(s.diags);
  if (remove && !failed) s.state = Value::null(type);
  if (!remove && !failed && s.state.is_null())
    add_error(s.diags, "Provider returned no object",
              fmt::format("The provider reported success for an object of type \"{}\", but returned no "
                          "object. This is a bug in the provider.",
                          r.type.sv()));
  out.new_state = without_write_only(e->schema, keep_equivalent(e->schema, r.planned, s.state));
  out.private_data = remove && !failed ? "" : encoded(s.private_data, r.planned_private);
  if (!remove && out.new_state.is_wholly_known()) out.new_identity = identity_of(r.type, out.new_state);
  out.diags = std::move(s.diags);
  return out;
}

UpgradeIdentityResponse Provider::upgrade_identity(Symbol type, uint64_t version, std::string_view json) {
  UpgradeIdentityResponse out;
  Entry<Resource>* e = find(resources_, type, "resource type", out.diags);
  const schema::Schema* s = schema()->find_identity(type);
  if (e && s) out.identity = e->impl->upgrade_identity(version, json, s->block.implied_type(), out.diags);
  return out;
}

ImportResponse Provider::import(const ImportRequest& q) {
  const Symbol type = q.type;
  ImportResponse out;
  Entry<Resource>* e = find(resources_, type, "resource type", out.diags);
  if (!e) return out;
  ImportResult r{Object::blank(e->impl->type_).value(), {}, {}, Deferral::None};
  if (deferred_ != Deferral::None) {
    r.state = Value::unknown(e->impl->type_);
    r.deferred = deferred_;
  } else if (!q.identity.is_null()) {
    e->impl->import_identity(q.identity, r);
  } else {
    e->impl->import(q.id, r);
  }
  out.diags = std::move(r.diags);
  out.deferred = r.deferred;
  if (has_errors(out.diags)) return out;
  Value identity = r.state.is_known() ? identity_of(type, r.state) : Value();
  if (!q.identity.is_null()) identity = q.identity;
  out.objects.push_back({type, std::move(r.state), r.private_data.encode(), std::move(identity)});
  return out;
}

UpgradeResponse Provider::move(const MoveStateRequest& m) {
  UpgradeResponse out;
  Entry<Resource>* e = find(resources_, m.target_type, "resource type", out.diags);
  if (!e) return out;
  ImportResult r{Object::blank(e->impl->type_).value(), {}, {}, Deferral::None};
  MoveRequest q{m.source_provider, m.source_type.sv(), m.source_version, m.source_json, m.source_private};
  if (!e->impl->move(q, r) && !has_errors(r.diags))
    add_error(r.diags, "Unsupported move",
              fmt::format("An object of type \"{}\" of provider {} cannot be moved to type \"{}\".",
                          m.source_type.sv(), m.source_provider.text(), m.target_type.sv()));
  out.diags = std::move(r.diags);
  if (!has_errors(out.diags)) {
    out.identity = identity_of(m.target_type, r.state);
    out.state = std::move(r.state);
    out.private_data = r.private_data.encode();
  }
  return out;
}

ReadDataResponse Provider::read_data(const ReadDataRequest& r) {
  ReadDataResponse out;
  Entry<DataSource>* e = find(data_, r.type, "data source", out.diags);
  if (!e) return out;
  if (deferred_ != Deferral::None) {
    out.state = schema::planned_unknown(schema_->find(Mode::Data, r.type)->block, r.config);
    out.deferred = deferred_;
    return out;
  }
  StateResponse s{r.config, {}, {}, Deferral::None};
  e->impl->read(r.config, r.provider_meta, s);
  out.state = std::move(s.state);
  out.diags = std::move(s.diags);
  out.deferred = s.deferred;
  return out;
}

OpenEphemeralResponse Provider::open_ephemeral(Symbol type, const Value& config) {
  OpenEphemeralResponse out;
  Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", out.diags);
  if (!e) return out;
  EphemeralResult r{config, {}, 0, {}, Deferral::None};
  if (deferred_ != Deferral::None) {
    r.result = schema::planned_unknown(schema_->find(Mode::Ephemeral, type)->block, config);
    r.deferred = deferred_;
  } else {
    e->impl->open(config, r);
  }
  return {std::move(r.result), r.private_data.encode(), r.renew_at_unix, std::move(r.diags), r.deferred};
}

OpenEphemeralResponse Provider::renew_ephemeral(Symbol type, const std::string& private_data) {
  OpenEphemeralResponse out;
  Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", out.diags);
  if (!e) return out;
  EphemeralResult r{Value(), decoded(private_data), 0, {}, Deferral::None};
  e->impl->renew(r);
  return {Value(), r.private_data.encode(), r.renew_at_unix, std::move(r.diags), Deferral::None};
}

ProviderDiags Provider::close_ephemeral(Symbol type, const std::string& private_data) {
  ProviderDiags diags;
  if (Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", diags))
    e->impl->close(decoded(private_data), diags);
  return diags;
}

FunctionResponse Provider::call_function(Symbol name, const std::vector<Value>& arguments) {
  auto it = functions_.find(name);
  if (it == functions_.end())
    return {Value(), fmt::format("This provider has no function \"{}\".", name.sv()), -1};
  return it->second.run(arguments);
}

void Provider::stop() {
  if (on_stop_) on_stop_();
}

}  // namespace xplan::kit
