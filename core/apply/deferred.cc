// What the plan put off: it is not touched, and readers see of it what the plan foresaw, so that what was
// unknown to the plan is unknown here too, even if it could be found out by now.
#include <fmt/format.h>

#include "core/apply/applier.h"

namespace xplan::applying {

void Applier::find_put_off_calls() {
  for (const DeferredChange& d : plan.deferred) {
    if (!d.change.addr.module.partial()) continue;
    for (ModuleInstance step : d.change.addr.module.chain())
      if (step.key().is_unknown()) world.put_off_calls.insert(step);
  }
}

void Applier::find_held_nodes() {
  held.assign(cg.nodes.size(), false);
  provider_waits.assign(cg.providers.size(), false);
  if (plan.deferred.empty()) return;
  std::unordered_set<ConfigResource> resources;
  std::unordered_set<Module> calls;
  for (const DeferredChange& d : plan.deferred) resources.insert(d.change.addr.config());
  for (ModuleInstance m : world.put_off_calls) calls.insert(m.module());
  std::vector<bool> unsettled(cg.nodes.size());
  for (uint32_t n : cg.graph.topological_order()) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Extra) continue;
    bool is_resource = g.kind == NodeKind::Resource;
    if (is_resource)
      unsettled[n] = resources.contains({g.node->path, g.node->module->resources[g.index].addr});
    else if (g.kind == NodeKind::Expand)
      unsettled[n] = calls.contains(g.node->path);
    for (uint32_t d : cg.graph.dependencies(n)) {
      NodeKind k = cg.nodes[d].kind;
      if (k == NodeKind::Provider || k == NodeKind::Extra) continue;
      if (held[d] || unsettled[d]) held[n] = true;
      if (!is_resource && unsettled[d]) unsettled[n] = true;
    }
    if (g.kind == NodeKind::Provider) provider_waits[g.index] = unsettled[n];
  }
}

void Applier::refuse_deferral(const Job& j, const AbsInstance& addr, InstanceResult& out) const {
  out.diags
      .error("Provider deferred changes",
             fmt::format("The plan has work for {0}, but now its provider wants to put that off to a later "
                         "plan. What the plan promised can no longer be done, so {0} is left as it is. A new "
                         "plan will show what remains.",
                         addr.text()),
             j.resource ? j.resource->range : Range())
      .address = addr.text();
}

bool Applier::is_put_off(const AbsInstance& addr) const {
  return !plan.deferred.empty() && plan.find_deferred(addr);
}

}  // namespace xplan::applying
