// Objects of the state that the configuration no longer declares; deletions of any kind.
#include <fmt/format.h>
#include <algorithm>

#include "core/plan/identity.h"
#include "core/plan/planner_impl.h"

namespace xplan::planning {

Planner::Declaration Planner::declaration(const ModuleInstance& module, const xplan::Resource& r) const {
  const config::Node* n = config.find(module.module());
  return {n, n ? n->module->find_resource(r) : -1};
}

uint32_t Planner::node_of(const Declaration& d) const {
  return d.index < 0 ? UINT32_MAX : cg.node_of(NodeKind::Resource, d.node, static_cast<uint32_t>(d.index));
}

bool Planner::is_declared(const AbsInstance& a) const {
  const ModuleInst* m = world.find(a.module);
  const int index = m ? declaration(a.module, a.resource).index : -1;
  return index >= 0 && m->resources[static_cast<size_t>(index)].declared.index_of(a.key);
}

bool Planner::expansion_known(const AbsResource& a) const {
  const Declaration d = declaration(a.module, a.resource);
  for (const config::Node* n = d.node; n; n = n->parent) {
    const uint32_t call = cg.node_of(NodeKind::Expand, n, 0);
    if (!results[call].done && selection.nodes[call]) return false;
  }
  return d.index < 0 || results[node_of(d)].done || !selection.nodes[node_of(d)];
}

Reason Planner::orphan_reason(const AbsInstance& a) const {
  const config::Resource* r = config.find(a.config());
  if (!r)
    return moves.previous.contains(a) ? Reason::DeleteBecauseNoMoveTarget
                                      : Reason::DeleteBecauseNoResourceConfig;
  const ModuleInst* m = world.find(a.module);
  if (!m) return Reason::DeleteBecauseNoModule;
  switch (a.key.kind) {
    case InstanceKey::Kind::None:
      return r->count || r->for_each ? Reason::DeleteBecauseWrongRepetition : Reason::None;
    case InstanceKey::Kind::Int:
      return r->count ? Reason::DeleteBecauseCountIndex : Reason::DeleteBecauseWrongRepetition;
    case InstanceKey::Kind::String:
      return r->for_each ? Reason::DeleteBecauseEachKey : Reason::DeleteBecauseWrongRepetition;
    case InstanceKey::Kind::Unknown:  // never in a state
      break;
  }
  return Reason::None;
}

bool Planner::orphan_selected(const AbsInstance& a) const {
  return selection.takes_undeclared(node_of(declaration(a.module, a.resource)), a);
}

// Lets a provider that wants to plan the end of an object do so; false when it must not go on.
bool Planner::plan_destruction(const InstanceJob& j, const config::Resource* where, ResourceChange& c,
                               InstanceResult& out) const {
  if (!j.provider->plans_destroy() || c.addr.resource.mode != Mode::Managed) return true;
  size_t errors = out.diags.error_count();
  Value meta;
  if (where)
    meta = provider_meta(world, world.find(c.addr.module), c.provider.provider, *j.provider, out.diags);
  PlanResponse response =
      j.provider->plan({c.addr.resource.type, c.change.before.unmark_deep(), c.change.after, c.change.after,
                        c.private_data, std::move(meta), c.change.before_identity});
  add_provider_diags(response.diags, c.addr, where, out.diags);
  if (out.diags.error_count() != errors) return false;
  bool deferred = defer(response.deferred, j, out.diags);
  if (deferred && !world.deferral_allowed) return false;
  if (!deferred && !response.planned.is_null()) {
    add_violations("Provider produced invalid plan", "when it planned to destroy", j.provider_addr.provider,
                   c.addr, {{{}, "the planned object is not null"}}, out.diags);
    return false;
  }
  c.private_data = response.planned_private;
  return true;
}

void Planner::plan_delete(const AbsInstance& a, InstanceState& s, const ProviderConfigAddr& provider_addr,
                          Reason reason, const config::Resource* resource, InstanceResult& out) {
  Provider* provider = provider_for(provider_addr);
  if (!provider) return;
  const schema::SchemaPtr schema = schema::find(provider->schema(), a.resource.mode, a.resource.type);
  if (!schema) {
    out.diags
        .error("Resource type not supported by provider",
               fmt::format("The state contains {}, but provider {} has no resource type \"{}\" (or no longer "
                           "has it). Use a version of the provider that has it, or remove the object from "
                           "the state with \"state rm\".",
                           a.text(), provider_addr.provider.text(), a.resource.type.sv()))
        .address = a.text();
    return;
  }
  InstanceJob j{0, nullptr, nullptr, a, nullptr, &s, provider, provider_addr};
  auto from = moves.previous.find(a);
  const bool forgotten = options.mode == PlanMode::Normal && removed.forgets(a.config());
  auto change = [&](const ObjectPtr& object, const Value& before, const std::string& deposed) {
    ResourceChange c;
    c.addr = a;
    c.prev_addr = !deposed.empty() || from == moves.previous.end() ? a : from->second;
    c.deposed = deposed;
    c.provider = provider_addr;
    c.schema = schema;
    bool forget = deposed.empty() && forgotten;
    c.change.action = forget ? Action::Forget : Action::Delete;
    c.change.before = before;
    c.change.after = Value::null(schema->block.implied_type());
    c.private_data = object->private_data;
    std::optional<Value> identity = identity_value(*object, a, *provider, out.diags);
    if (!identity) return;
    c.change.before_identity = std::move(*identity);
    c.create_before_destroy = object->create_before_destroy;
    if (deposed.empty()) c.reason = reason;
    bool asked = !forget && !j.deferred && a.resource.mode == Mode::Managed;  // data only leave the state
    if (asked && !plan_destruction(j, resource, c, out)) return;
    if (!forget && deposed.empty() && resource && resource->prevent_destroy)
      out.diags
          .error("Instance cannot be destroyed",
                 fmt::format(
                     "{} has lifecycle.prevent_destroy set, but this plan would destroy it. Either remove "
                     "prevent_destroy, or leave the object out of the plan with -target.",
                     a.text()),
                 resource->prevent_destroy_range.valid() ? resource->prevent_destroy_range : resource->range)
          .address = a.text();
    out.changes.push_back(std::move(c));
  };
  auto refreshed = [&](ObjectPtr& object, std::string_view deposed) {
    if (j.deferred || (forgotten && deposed.empty()))
      return object_value(*object, a, *schema, *provider, out.diags);
    std::optional<Value> v = refresh(j, a, object, schema, out, deposed.empty(), deposed);
    return v && object ? v : std::nullopt;
  };
  bool plan = options.mode != PlanMode::RefreshOnly;
  if (world.deferral_allowed) j.deferred = waiting(provider_addr);
  if (s.current) {
    auto v = refreshed(s.current, "");
    if (v && plan) change(s.current, *v, "");
  }
  for (auto it = s.deposed.begin(); it != s.deposed.end();) {
    auto v = refreshed(it->second, it->first);
    if (!it->second) {
      it = s.deposed.erase(it);
      continue;
    }
    if (v && plan) change(it->second, *v, it->first);
    ++it;
  }
  if (world.deferral_allowed) move_deferred(j, out);
}

// Plans the deletion of every wanted object of the state, several at once. Data sources that are no longer
// declared leave the state at once; when all is destroyed, what is configured by them still needs them.
void Planner::plan_deletes(const std::function<bool(const AbsInstance&)>& wanted,
                           const std::function<Reason(const AbsInstance&)>& reason) {
  struct Job {
    AbsInstance addr;
    InstanceState* state;
    ProviderConfigAddr provider;
    InstanceResult out;
  };
  std::vector<Job> jobs;
  for (auto& [abs, r] : working.resources) {
    const ProviderConfigAddr& provider = provider_of(config, abs, r);
    for (auto it = r.instances.begin(); it != r.instances.end();) {
      AbsInstance a{abs.module, abs.resource, it->first};
      bool take = wanted(a);
      if (take && abs.resource.mode != Mode::Managed && options.mode != PlanMode::Destroy) {
        it = r.instances.erase(it);
        continue;
      }
      if (take) r.provider = provider, jobs.push_back({a, &it->second, provider, {}});
      ++it;
    }
  }
  const WalkOutcome ended = parallel_for(jobs.size(), walk_options(), [&](size_t i) {
    Job& j = jobs[i];
    plan_delete(j.addr, *j.state, j.provider, reason(j.addr), config.find(j.addr.config()), j.out);
  });
  size_t first = results.size();
  for (Job& j : jobs) merge(std::move(j.out), results.emplace_back());
  report(ended);
  defer_needed_deletes(first);
}

bool Planner::is_refreshed(const AbsInstance& a) const {
  const Declaration d = declaration(a.module, a.resource);
  return d.index >= 0 && world.find(a.module) && results[node_of(d)].all_refreshed;
}

void Planner::plan_orphans() {
  plan_deletes(
      [this](const AbsInstance& a) {
        return !is_declared(a) && !uncounted(a) && expansion_known(a.abs_resource()) && orphan_selected(a) &&
               !is_refreshed(a);
      },
      [this](const AbsInstance& a) { return orphan_reason(a); });
}

}  // namespace xplan::planning
