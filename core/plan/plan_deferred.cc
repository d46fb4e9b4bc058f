// Plans what is deferred by its schema alone, and takes it out of what the plan does.
#include "core/plan/plan_deferred.h"

#include <algorithm>

#include "core/plan/declared.h"
#include "core/plan/objects.h"

namespace xplan::planning {
namespace {

DeferredReason reason_without_provider(const PlanRun& run, const InstanceJob& j) {
  if (j.addr.partial()) return DeferredReason::InstanceCountUnknown;
  return run.providers.waiting(j.provider_addr).value_or(DeferredReason::ResourceConfigUnknown);
}

// The postconditions are about an object that is not planned yet.
bool check_early(const PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  if (!check_conditions(run, r.preconditions, RuleKind::Precondition, j, nullptr, out)) return false;
  if (r.postconditions.empty()) return true;
  if (out.checks.empty()) out.checks.emplace_back().object_addr = j.addr.text();
  CheckStatus& status = out.checks.back().status;
  status = combine(status, CheckStatus::Unknown);
  return true;
}

ResourceChange change_by_schema(const PlanRun& run, const InstanceJob& j, const Value& prior,
                                const InstanceConfig& own) {
  const config::Resource& r = *j.resource;
  const schema::Block& block = r.schema->block;
  const bool data = r.addr.mode == Mode::Data;
  ResourceChange c = change_of(j, data ? Action::Read : Action::Create);
  if (data) c.reason = Reason::ReadBecauseConfigUnknown;
  c.change.before = prior;
  c.create_before_destroy = j.recorded_cbd;
  if (j.import) note_import(*j.import, c);
  const InstanceConfig effective = effective_config(r, prior, own);
  const Value config = schema::strip_write_only(effective.value, block);
  if (prior.is_null()) {
    c.change.after = planned_value(schema::planned_unknown(block, config), effective.marks, block);
    return c;
  }
  c.prev_addr = run.previous_address(j.addr);
  const Value bare = prior.unmark_deep(), planned = schema::proposed_new(block, bare, config);
  c.change.action = planned.raw_equal(bare) ? Action::NoOp : Action::Update;
  c.change.after = c.change.action == Action::NoOp ? prior : planned_value(planned, effective.marks, block);
  return c;
}

}  // namespace

void visit_provider(PlanRun& run, uint32_t node) {
  const uint32_t index = run.cg.nodes[node].index;
  NodeResult& out = run.results[node];
  bool wait = out.incomplete;
  StartedProviders::Entry e{
      start_provider(run.world, run.cg.providers[index], run.factory, out.diags, &wait)};
  if (wait) e.waits = out.incomplete ? DeferredReason::DeferredPrereq : DeferredReason::ProviderConfigUnknown;
  run.providers.set(index, std::move(e));
}

void note_uncounted_calls(PlanRun& run, uint32_t node) {
  const config::Node* n = run.cg.nodes[node].node;
  if (!run.world.deferral_allowed || !n->parent) return;
  auto index = static_cast<size_t>(n->call - n->parent->module->calls.data());
  for (const ModuleInst* parent : run.world.of(n->parent))
    run.results[node].incomplete |= parent->calls[index].expanded.kind == Expansion::Unknown;
}

bool is_unreachable(const PlanRun& run, const InstanceJob& j) {
  return run.world.deferral_allowed && (j.addr.module.partial() || run.providers.waiting(j.provider_addr));
}

bool is_unplannable(const PlanRun& run, const InstanceJob& j) {
  if (!run.world.deferral_allowed) return false;
  if (is_unreachable(run, j)) return true;
  if (j.addr.resource.mode != Mode::Managed || (j.state && j.state->current)) return false;
  return j.import ? j.import->unknown_id : run.results[j.node].imports_unknown;
}

Value plan_by_schema(const PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  const Mode mode = j.addr.resource.mode;
  if (!out.deferral) out.deferral = reason_without_provider(run, j);
  if (mode == Mode::Ephemeral) return j.unknown().with_marks(kEphemeral);
  Value prior = Value::null(j.resource->schema->block.implied_type());
  if (j.state && j.state->current && mode == Mode::Managed) {
    auto v = object_value(*j.state->current, j.addr, *j.resource->schema, *j.provider, out.diags);
    if (!v) return j.unknown();
    prior = *v;
  }
  if (run.refresh_only()) return prior.is_null() ? j.unknown() : prior;
  if (j.addr.partial())
    out.uncounted = true;
  else if (!check_early(run, j, out))
    return j.unknown();
  const std::optional<InstanceConfig> own = evaluate_config(run, j, out.diags);
  if (!own) return j.unknown();
  out.changes.push_back(change_by_schema(run, j, prior, *own));
  return out.changes.back().change.after;
}

void plan_uncounted(const PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  if (run.selection.excludes.covers(j.addr) || run.refresh_only()) {
    out.incomplete = j.addr.resource.mode != Mode::Ephemeral;
    return;
  }
  plan_by_schema(run, j, out);
  move_deferred(j.addr, &j, out);
}

void move_deferred(const AbsInstance& a, const InstanceJob* j, InstanceResult& out) {
  const bool own = out.deferral.has_value();
  if (!own && !(j && j->deferred_upstream)) return;
  const bool ephemeral = a.resource.mode == Mode::Ephemeral;
  if (own && !(ephemeral && a.key.is_unknown())) out.incomplete = true;
  std::vector<ResourceChange> stay;
  for (ResourceChange& c : out.changes) {
    if (!own && c.change.action == Action::NoOp)
      stay.push_back(std::move(c));
    else
      out.deferred.push_back({std::move(c), own ? *out.deferral : DeferredReason::DeferredPrereq});
  }
  out.changes = std::move(stay);
  if (out.deferred.empty()) return;
  out.incomplete = true;
  out.objects.clear();
}

void defer_needed_deletes(PlanRun& run, size_t first_delete) {
  if (!run.world.deferral_allowed) return;
  std::unordered_set<ConfigResource> needed;
  std::vector<ConfigResource> todo;
  std::unordered_set<const void*> seen;  // dependency lists are shared
  auto needs = [&](const AbsInstance& a, const InstanceState& s) {
    if (!s.current || !s.current->dependencies || !seen.insert(s.current->dependencies.get()).second) return;
    for (const ConfigResource& d : *s.current->dependencies)
      if (!(d == a.config()) && needed.insert(d).second) todo.push_back(d);
  };
  auto needs_of = [&](const DeferredChange& d) {
    const InstanceState* s = run.working.find(d.change.addr);
    if (s && d.change.deposed.empty()) needs(d.change.addr, *s);
  };
  for (const auto& [abs, r] : run.working.resources)
    for (const auto& [key, instance] : r.instances) {
      AbsInstance a{abs.module, abs.resource, key};
      if (is_uncounted(run, a)) needs(a, instance);
    }
  std::unordered_map<ConfigResource, std::vector<uint32_t>> deletes;
  for (uint32_t n = 0; n < run.results.size(); ++n) {
    for (const DeferredChange& d : run.results[n].deferred) needs_of(d);
    if (n < first_delete) continue;
    for (const ResourceChange& c : run.results[n].changes)
      if (c.change.action == Action::Delete) {
        deletes[c.addr.config()].push_back(n);
        break;
      }
  }
  while (!todo.empty()) {
    auto it = deletes.find(todo.back());
    todo.pop_back();
    if (it == deletes.end()) continue;
    for (uint32_t n : it->second) {
      NodeResult& r = run.results[n];
      std::vector<ResourceChange> stay;
      for (ResourceChange& c : r.changes) {
        if (c.change.action != Action::Delete) {
          stay.push_back(std::move(c));
          continue;
        }
        r.deferred.push_back({std::move(c), DeferredReason::DeferredPrereq});
        needs_of(r.deferred.back());
      }
      r.changes = std::move(stay);
    }
    deletes.erase(it);
  }
}

void collect_deferred(PlanRun& run, Plan& plan) {
  plan.deferral_allowed = run.world.deferral_allowed;
  for (NodeResult& r : run.results) {
    if (r.incomplete || !r.deferred.empty()) plan.complete = false;
    std::move(r.deferred.begin(), r.deferred.end(), std::back_inserter(plan.deferred));
  }
  if (run.refresh_only()) plan.deferred.clear();
  std::sort(plan.deferred.begin(), plan.deferred.end(), [](const DeferredChange& a, const DeferredChange& b) {
    if (!(a.change.addr == b.change.addr)) return less(a.change.addr, b.change.addr);
    return a.change.deposed < b.change.deposed;
  });
}

}  // namespace xplan::planning
