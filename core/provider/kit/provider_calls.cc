// kit::Provider: each call goes to the declared resource, data source, ephemeral resource or function, with
// its end, exceptions, private data and identities handled around it.
#include <fmt/format.h>

#include "core/provider/kit/provider.h"
#include "core/provider/kit/timeouts.h"
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

// The state that a call has left, as it is recorded.
Value result_of(const Context& c, const Schema& schema, const Value& before, StateResponse& s) {
  Value out = without_write_only(schema, s.state);
  guarded(c, s.diags, [&] { out = keep_equivalent(schema, before, out); });
  return out;
}

}  // namespace

Value Provider::identity_of(Symbol type, const Value& object) const {
  const schema::Schema* s = schema()->find_identity(type);
  if (!s || object.is_null()) return {};
  Object out = Object::blank(s->block.implied_type());
  Object from(object);
  for (const schema::Attribute& a : s->block.attributes) out.set(a.name.sv(), from.get(a.name.sv()));
  return out.value();
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
    CallScope scope(running_, type.sv(), "upgrade");
    guarded(scope.context(), out.diags, [&] { out.state = e->impl->upgrade(version, raw_json, out.diags); });
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
  CallScope scope(running_, r.type.sv(), "read", timeout_of(e->schema.fields, r.current, "read"));
  StateResponse s{r.current, decoded(r.private_data), {}, Deferral::None, scope.context()};
  guarded(scope.context(), s.diags, [&] { e->impl->read(r.current, r.provider_meta, s); });
  out.new_state =
      s.state.is_null() ? Value::null(e->impl->type_) : result_of(scope.context(), e->schema, r.current, s);
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
  const bool defers = deferred_ != Deferral::None;
  ModifyPlan modify;
  if (!defers)
    modify = [&](const ModifyPlanRequest& q, ModifyPlanResponse& a) { e->impl->modify_plan(q, a); };
  CallScope scope(running_, r.type.sv(), "plan");
  ProviderDiags failed;
  guarded(scope.context(), failed,
          [&] { out = plan_change(e->schema, e->impl->type_, r, modify, deferral_allowed_); });
  if (!failed.empty()) {
    out.planned = r.proposed, out.planned_private = r.prior_private;
    out.diags = std::move(failed);
    return out;
  }
  if (defers) {
    out.deferred = deferred_;
    return out;
  }
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
  const std::string_view call = remove ? "delete" : create ? "create" : "update";
  CallScope scope(running_, r.type.sv(), call,
                  timeout_of(e->schema.fields, remove ? r.prior : r.planned, call));
  StateResponse s{
      create ? Value::null(type) : r.prior, decoded(r.planned_private), {}, Deferral::None, scope.context()};
  ChangeRequest q{r.prior, r.planned, r.config, r.provider_meta};
  guarded(scope.context(), s.diags, [&] {
    if (remove)
      e->impl->remove(q, s);
    else if (create)
      e->impl->create(q, s);
    else
      e->impl->update(q, s);
  });
  bool failed = has_errors(s.diags);
  if (remove && !failed) s.state = Value::null(type);
  if (!remove && !failed && s.state.is_null())
    add_error(s.diags, "Provider returned no object",
              fmt::format("The provider reported success for an object of type \"{}\", but returned no "
                          "object. This is a bug in the provider.",
                          r.type.sv()));
  out.new_state = result_of(scope.context(), e->schema, r.planned, s);
  out.private_data = remove && !failed ? "" : encoded(s.private_data, r.planned_private);
  if (!remove && out.new_state.is_wholly_known()) out.new_identity = identity_of(r.type, out.new_state);
  out.diags = std::move(s.diags);
  return out;
}

UpgradeIdentityResponse Provider::upgrade_identity(Symbol type, uint64_t version, std::string_view json) {
  UpgradeIdentityResponse out;
  Entry<Resource>* e = find(resources_, type, "resource type", out.diags);
  const schema::Schema* s = schema()->find_identity(type);
  if (!e || !s) return out;
  CallScope scope(running_, type.sv(), "upgrade");
  guarded(scope.context(), out.diags, [&] {
    out.identity = e->impl->upgrade_identity(version, json, s->block.implied_type(), out.diags);
  });
  return out;
}

ImportResponse Provider::import(const ImportRequest& q) {
  const Symbol type = q.type;
  ImportResponse out;
  Entry<Resource>* e = find(resources_, type, "resource type", out.diags);
  if (!e) return out;
  CallScope scope(running_, type.sv(), "import");
  ImportResult r{Object::blank(e->impl->type_).value(), {}, {}, Deferral::None, scope.context()};
  if (deferred_ != Deferral::None) {
    r.state = Value::unknown(e->impl->type_);
    r.deferred = deferred_;
  } else {
    guarded(scope.context(), r.diags, [&] {
      if (!q.identity.is_null())
        e->impl->import_identity(q.identity, r);
      else
        e->impl->import(q.id, r);
    });
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
  CallScope scope(running_, m.target_type.sv(), "move");
  ImportResult r{Object::blank(e->impl->type_).value(), {}, {}, Deferral::None, scope.context()};
  bool moved = false;
  MoveRequest q{m.source_provider, m.source_type.sv(), m.source_version, m.source_json, m.source_private};
  guarded(scope.context(), r.diags, [&] { moved = e->impl->move(q, r); });
  if (!moved && !has_errors(r.diags))
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
  CallScope scope(running_, r.type.sv(), "read", timeout_of(e->schema.fields, r.config, "read"));
  StateResponse s{r.config, {}, {}, Deferral::None, scope.context()};
  guarded(scope.context(), s.diags, [&] { e->impl->read(r.config, r.provider_meta, s); });
  out.state = std::move(s.state);
  out.diags = std::move(s.diags);
  out.deferred = s.deferred;
  return out;
}

OpenEphemeralResponse Provider::open_ephemeral(Symbol type, const Value& config) {
  OpenEphemeralResponse out;
  Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", out.diags);
  if (!e) return out;
  CallScope scope(running_, type.sv(), "open");
  EphemeralResult r{config, {}, 0, {}, Deferral::None, scope.context()};
  if (deferred_ != Deferral::None) {
    r.result = schema::planned_unknown(schema_->find(Mode::Ephemeral, type)->block, config);
    r.deferred = deferred_;
  } else {
    guarded(scope.context(), r.diags, [&] { e->impl->open(config, r); });
  }
  return {std::move(r.result), r.private_data.encode(), r.renew_at_unix, std::move(r.diags), r.deferred};
}

OpenEphemeralResponse Provider::renew_ephemeral(Symbol type, const std::string& private_data) {
  OpenEphemeralResponse out;
  Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", out.diags);
  if (!e) return out;
  CallScope scope(running_, type.sv(), "renew");
  EphemeralResult r{Value(), decoded(private_data), 0, {}, Deferral::None, scope.context()};
  guarded(scope.context(), r.diags, [&] { e->impl->renew(r); });
  return {Value(), r.private_data.encode(), r.renew_at_unix, std::move(r.diags), Deferral::None};
}

ProviderDiags Provider::close_ephemeral(Symbol type, const std::string& private_data) {
  ProviderDiags diags;
  CallScope scope(running_, type.sv(), "close");
  if (Entry<Ephemeral>* e = find(ephemerals_, type, "ephemeral resource type", diags))
    guarded(scope.context(), diags, [&] { e->impl->close(decoded(private_data), diags); });
  return diags;
}

FunctionResponse Provider::call_function(Symbol name, const std::vector<Value>& arguments) {
  auto it = functions_.find(name);
  if (it == functions_.end())
    return {Value(), fmt::format("This provider has no function \"{}\".", name.sv()), -1};
  CallScope scope(running_, name.sv(), "function");
  ProviderDiags diags;
  FunctionResponse out;
  guarded(scope.context(), diags, [&] { out = it->second.run(arguments); });
  if (!diags.empty()) out.error = diags[0].summary + (diags[0].detail.empty() ? "" : ": " + diags[0].detail);
  return out;
}

void Provider::stop() {
  running_.stop_all();
  if (on_stop_) on_stop_();
}

}  // namespace xplan::kit
