// Finds the objects in the state that the configuration no longer declares: their resource or module is gone,
// or their instance key. Plans the deletion of each (plan_delete.cc); data sources leave the state at once.
#include <utility>

#include "core/plan/declared.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/planner_impl.h"

namespace xplan::planning {
namespace {

// One object: the current one of its instance, or a deposed one.
struct Deletable {
  AbsInstance addr;
  InstanceState* state;
  const std::string* deposed;  // its key; null: the current one
  ProviderConfigAddr provider;
  InstanceResult out = {};
};

// Deposed objects go only where they are named themselves. When all is destroyed, they go along with the
// current object of their instance, too: what that needs is known of them as well.
bool takes_deposed(const PlanRun& run, const AbsInstance& a, const InstanceState& s) {
  return (run.destroying() && s.current) || run.selection.takes_deposed(a);
}

// Data sources that are no longer declared leave the state at once; when all is destroyed, what is configured
// by them still needs them.
std::vector<Deletable> take_deletable(PlanRun& run, const Wanted& wanted) {
  std::vector<Deletable> out;
  for (auto& [abs, r] : run.working.resources) {
    bool any = false;
    for (auto it = r.instances.begin(); it != r.instances.end();) {
      const AbsInstance a{abs.module, abs.resource, it->first};
      const bool take = wanted(a);
      if (take && abs.resource.mode != Mode::Managed && !run.destroying()) {
        it = r.instances.erase(it);
        continue;
      }
      if (take) {
        const ProviderConfigAddr provider = provider_of(run.config, abs, r, it->second);
        any = true;
        if (it->second.current) out.push_back({a, &it->second, nullptr, provider});
        if (takes_deposed(run, a, it->second))
          for (const auto& [key, object] : it->second.deposed)
            out.push_back({a, &it->second, &key, provider});
      }
      ++it;
    }
    if (any) r.provider = provider_of(run.config, abs, r);
  }
  return out;
}

}  // namespace

void plan_deletes(PlanRun& run, const Wanted& wanted, const ReasonOf& reason) {
  std::vector<Deletable> all = take_deletable(run, wanted);
  const WalkOutcome ended = parallel_for(all.size(), run.walk_options(), [&](size_t i) {
    Deletable& d = all[i];
    plan_delete(run, d.addr, *d.state, d.deposed, d.provider, reason(d.addr),
                run.config.find(d.addr.config()), d.out);
  });
  const size_t first = run.results.size();
  const InstanceState* last = nullptr;
  for (Deletable& d : all) {
    if (std::exchange(last, d.state) != d.state) run.results.emplace_back();
    merge(std::move(d.out), run.results.back());
  }
  for (const Deletable& d : all)
    if (d.deposed) drop_if_gone(*d.state, *d.deposed);
  report(run, ended);
  defer_needed_deletes(run, first);
}

void plan_orphans(PlanRun& run) {
  plan_deletes(
      run,
      [&run](const AbsInstance& a) {
        return !is_declared(run, a) && !is_uncounted(run, a) && expansion_known(run, a.abs_resource()) &&
               orphan_selected(run, a) && !is_refreshed(run, a);
      },
      [&run](const AbsInstance& a) { return orphan_reason(run, a); });
}

}  // namespace xplan::planning
