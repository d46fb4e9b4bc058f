// What every change of an apply needs from the run: the provider of its configuration, its conditions, and
// the import that was planned with it.
#include "core/apply/apply_run.h"

#include "core/plan/identity.h"

namespace xplan::applying {

ApplyRun::ApplyRun(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f)
    : config(c),
      plan(p),
      options(o),
      factory(f),
      hooks(o.hooks ? *o.hooks : no_hooks()),
      removed(c),
      state(p.prior_state),
      world(c, Operation::Apply),
      recorder(state, o.journal, hooks) {
  world.workspace = p.workspace;
  world.cwd = o.cwd;
  world.applying = true;
  world.deferral_allowed = p.deferral_allowed;
  world.deferred_calls = Deferrals::calls(p);
}

// What a failure means for the rest of the run.
void ApplyRun::note(const Diagnostics& found) {
  if (options.on_error == OnError::Continue || !found.has_errors()) return;
  halted = true;
  if (options.on_error == OnError::Stop && options.stops) options.stops->store(true);
}

Provider* ApplyRun::provider_for(const ProviderConfigAddr& a) const {
  auto it = cg.provider_by_addr.find(a);
  return it == cg.provider_by_addr.end() ? nullptr : providers[it->second].get();
}

Provider* ApplyRun::any_provider_for(const ProviderConfigAddr& block) const {
  for (uint32_t i : cg.provider_instances(block))
    if (providers[i]) return providers[i].get();
  return nullptr;
}

bool is_work(const ResourceChange* c) {
  return c && c->change.action != Action::NoOp && c->change.action != Action::Delete &&
         c->change.action != Action::Forget;
}

void note_import(ApplyRun& run, const ResourceChange& c, InstanceResult& out) {
  if (!c.change.importing) return;
  run.tell(&Hooks::imported, c.addr, import_target_id(c.change.import_id, c.change.import_identity));
  ++out.imported;
}

bool check_conditions(ApplyRun& run, RuleKind kind, const Job& j, const AbsInstance& addr, const Value* self,
                      InstanceResult& out) {
  const std::vector<config::CheckRule>& rules =
      kind == RuleKind::Precondition ? j.resource->preconditions : j.resource->postconditions;
  if (rules.empty() || run.plan.mode == PlanMode::RefreshOnly) return true;
  if (out.checks.empty()) out.checks.push_back({addr.text(), CheckStatus::Pass, {}});
  return evaluate_rules(rules, kind, ModuleScope(run.world, *j.module, j.repetition, self), Severity::Error,
                        out.checks.back(), out.diags);
}

}  // namespace xplan::applying
