// Finds, from what the plan deferred, all nodes of an apply's graph that read any of it, directly or through
// others: what they read must look as unknown as it was to the plan.
#include "core/apply/deferrals.h"

namespace xplan::applying {

std::unordered_set<ModuleInstance> Deferrals::calls(const Plan& plan) {
  std::unordered_set<ModuleInstance> out;
  for (const DeferredChange& d : plan.deferred) {
    if (!d.change.addr.module.partial()) continue;
    for (ModuleInstance step : d.change.addr.module.chain())
      if (step.key().is_unknown()) out.insert(step);
  }
  return out;
}

void Deferrals::find(const ConfigGraph& cg, const Plan& plan) {
  reads_deferred_.assign(cg.nodes.size(), false);
  unconfigured_.assign(cg.providers.size(), false);
  if (plan.deferred.empty()) return;
  std::unordered_set<ConfigResource> resources;
  std::unordered_set<Module> modules;
  for (const DeferredChange& d : plan.deferred) resources.insert(d.change.addr.config());
  for (ModuleInstance m : calls(plan)) modules.insert(m.module());
  std::vector<bool> deferred(cg.nodes.size());  // a deferred resource or call, or a value made of one
  for (uint32_t n : cg.graph.topological_order()) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Extra) continue;
    const bool is_resource = g.kind == NodeKind::Resource;
    if (is_resource)
      deferred[n] = resources.contains({g.node->path, g.node->module->resources[g.index].addr});
    else if (g.kind == NodeKind::Expand)
      deferred[n] = modules.contains(g.node->path);
    for (uint32_t d : cg.graph.dependencies(n)) {
      const NodeKind k = cg.nodes[d].kind;
      if (k == NodeKind::Provider || k == NodeKind::Extra) continue;
      if (reads_deferred_[d] || deferred[d]) reads_deferred_[n] = true;
      if (!is_resource && deferred[d]) deferred[n] = true;
    }
    if (g.kind == NodeKind::Provider) unconfigured_[g.index] = deferred[n];
  }
}

}  // namespace xplan::applying
