// Deletions of any kind: objects that are no longer declared, all of them when everything is destroyed, and
// deposed objects, which always go.
#include <fmt/format.h>

#include "core/base/command_line.h"
#include "core/plan/identity.h"
#include "core/plan/objects.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/plan_run.h"
#include "core/plan/prevent_destroy.h"
#include "core/plan/provider_choice.h"
#include "core/provider/timing/subject.h"

namespace xplan::planning {
namespace {

// The change that ends an object; nothing after an error.
std::optional<ResourceChange> deletion_of(const Subject& s, const ProviderConfigAddr& provider,
                                          const Object& object, const Value& before,
                                          const std::string& deposed, Diagnostics& diags) {
  ResourceChange c;
  c.addr = c.prev_addr = s.addr;
  c.deposed = deposed;
  c.provider = provider;
  c.schema = s.schema;
  c.change.action = Action::Delete;
  c.change.before = before;
  c.change.after = Value::null(s.schema->block.implied_type());
  c.private_data = object.private_data;
  std::optional<Value> identity = identity_value(object, s.addr, s.provider, diags);
  if (!identity) return std::nullopt;
  c.change.before_identity = std::move(*identity);
  return c;
}

// As the provider plans it; false when it must not go on. A deferral is the instance's.
bool let_plan(const Subject& s, ResourceChange& c, InstanceResult& out) {
  Deferral deferral = Deferral::None;
  const bool ok = ask_destroy(s, c, deferral, out.diags);
  if (deferral != Deferral::None) out.deferral = reason_of(deferral);
  return ok;
}

// What becomes of an object that ends: it is destroyed, or only forgotten, for a reason or because a removed
// block says so. Those count for current objects, and not where everything is destroyed.
struct End {
  bool forgotten = false;
  Reason because = Reason::None;
};
End end_of(const PlanRun& run, const AbsInstance& a, bool current, const config::Resource* resource,
           const Object& object) {
  if (a.resource.mode != Mode::Managed) return {};
  if (current && run.options.mode == PlanMode::Normal)
    if (const std::optional<bool> destroyed = run.removed.destroys(a.config())) return {!*destroyed};
  if (resource && !resource->destroy) return {true, Reason::ForgotBecauseLifecycleDestroyInConfig};
  if (object.skip_destroy) return {true, Reason::ForgotBecauseLifecycleDestroyInState};
  return {};
}

// The end of one object that is not to be there any more.
class Deletion {
 public:
  Deletion(PlanRun& run, const AbsInstance& a, ObjectPtr& object, const std::string& deposed,
           Provider& provider, schema::SchemaPtr schema, const ProviderConfigAddr& provider_addr,
           Reason reason, const config::Resource* resource, InstanceResult& out)
      : run_(run),
        addr_(a),
        object_(object),
        deposed_(deposed),
        provider_addr_(provider_addr),
        reason_(reason),
        resource_(resource),
        out_(out),
        end_(end_of(run, a, deposed.empty(), resource, *object)),
        forgotten_(end_.forgotten),
        subject_{.addr = a,
                 .schema = std::move(schema),
                 .provider = provider,
                 .provider_addr = provider_addr.provider,
                 .deferral_allowed = run.world.deferral_allowed} {}
  void plan();

 private:
  std::optional<Value> present();
  void add_change(const Value& before);
  bool plan_destruction(ResourceChange& c);
  bool is_current() const { return deposed_.empty(); }

  PlanRun& run_;
  const AbsInstance& addr_;
  ObjectPtr& object_;
  const std::string& deposed_;  // its key; empty: it is the current one
  const ProviderConfigAddr& provider_addr_;
  const Reason reason_;
  const config::Resource* const resource_;  // null: not declared
  InstanceResult& out_;
  const End end_;
  const bool forgotten_;
  const Subject subject_;
};

// The object as it is; nothing when it is gone, or after an error. What is only forgotten need not be asked
// for, and a provider that waits cannot be asked.
std::optional<Value> Deletion::present() {
  if (out_.deferral || forgotten_)
    return object_value(*object_, addr_, *subject_.schema, subject_.provider, out_.diags);
  std::optional<Refreshed> found =
      refresh(run_, subject_, provider_addr_, object_, deposed_, is_current(), true, out_);
  return found && object_ ? std::optional(std::move(found->after)) : std::nullopt;
}

bool Deletion::plan_destruction(ResourceChange& c) {
  Subject s = subject_;
  s.resource = resource_;
  if (resource_)
    s.meta = [this](Diagnostics& diags) {
      return provider_meta(run_.world, run_.world.find(addr_.module), provider_addr_.provider,
                           subject_.provider, diags);
    };
  return let_plan(s, c, out_);
}

void Deletion::add_change(const Value& before) {
  std::optional<ResourceChange> c =
      deletion_of(subject_, provider_addr_, *object_, before, deposed_, out_.diags);
  if (!c) return;
  if (forgotten_) c->change.action = Action::Forget;
  c->create_before_destroy = object_->create_before_destroy;
  if (is_current()) {
    c->prev_addr = run_.previous_address(addr_);
    c->reason = reason_;
  }
  if (end_.because != Reason::None) c->reason = end_.because;
  const bool asked =
      !forgotten_ && !out_.deferral && addr_.resource.mode == Mode::Managed;  // data only leave
  if (asked && !plan_destruction(*c)) return;
  if (!forgotten_ && is_current() && resource_)
    check_prevent_destroy(run_, *resource_, addr_, Destruction::Alone, out_.diags);
  out_.changes.push_back(std::move(*c));
}

void Deletion::plan() {
  if (run_.world.deferral_allowed) out_.deferral = run_.providers.waiting(provider_addr_);
  const std::optional<Value> v = present();
  if (v && object_ && !run_.refresh_only()) add_change(*v);
  if (run_.world.deferral_allowed) move_deferred(addr_, nullptr, out_);
}

}  // namespace

void plan_delete(PlanRun& run, const AbsInstance& a, InstanceState& s, const std::string* deposed,
                 const ProviderConfigAddr& provider_addr, Reason reason, const config::Resource* resource,
                 InstanceResult& out) {
  static const std::string current;
  const CallSubject about(a);
  ObjectPtr& object = deposed ? s.deposed.at(*deposed) : s.current;
  if (!require_instance(run.config, provider_addr, a, out.diags)) return;
  if (!run.cg.provider_by_addr.contains(provider_addr)) {
    require_configuration({provider_addr, nullptr, nullptr, a.abs_resource()}, out.diags);
    return;
  }
  Provider* provider = run.factory.answering(a, run.providers.find(provider_addr));
  if (!provider) return;  // it says why itself
  schema::SchemaPtr schema = schema::find(provider->schema(), a.resource.mode, a.resource.type);
  if (schema) {
    Deletion(run, a, object, deposed ? *deposed : current, *provider, std::move(schema), provider_addr,
             reason, resource, out)
        .plan();
    return;
  }
  if (&object != &(s.current ? s.current : s.deposed.begin()->second)) return;  // said once
  out.diags
      .error(
          "Resource type not supported by provider",
          fmt::format("The state contains {}, but provider {} has no resource type \"{}\" (or no longer "
                      "has it). Use a version of the provider that has it, or remove the object from "
                      "the state with {}.",
                      a.text(), provider_addr.provider.text(), a.resource.type.sv(), own_command("state rm")))
      .address = a.text();
}

// Where its provider defers it, it stays in the state, and the resource is not complete.
void plan_deposed(PlanRun& run, const InstanceJob& j, const std::string& key, InstanceResult& out) {
  ObjectPtr& object = j.state->deposed.at(key);
  ObjectPtr now = object;
  const std::optional<Value> v = refresh_declared(run, j, now, key, false, out);
  auto waits = [&] { return out.deferral && run.world.deferral_allowed && (out.incomplete = true); };
  if (waits()) return;
  if (now || v) object = now;
  if (!v || !object || run.refresh_only()) return;
  const Subject subject = subject_of(run, j);
  std::optional<ResourceChange> c = deletion_of(subject, j.provider_addr, *object, *v, key, out.diags);
  if (const End end = end_of(run, j.addr, false, j.resource, *object); c && end.forgotten) {
    c->change.action = Action::Forget, c->reason = end.because;
    out.changes.push_back(std::move(*c));
    return;
  }
  if (c && let_plan(subject, *c, out) && !waits()) out.changes.push_back(std::move(*c));
}

}  // namespace xplan::planning
