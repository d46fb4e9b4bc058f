#include "core/plan/selection.h"

#include <algorithm>
#include <iterator>

#include "core/addr/target_index.h"

namespace xplan {
namespace {

bool covers(const TargetIndex& targets, const GraphNode& g) {
  if (!g.node) return false;
  if (g.kind != NodeKind::Resource) return !g.node->path.is_root() && targets.covers(g.node->path);
  return targets.covers(ConfigResource{g.node->path, g.node->module->resources[g.index].addr});
}

void mark_state_providers(const ConfigGraph& cg, const State& state, const TargetIndex& targets,
                          std::vector<bool>& wanted) {
  for (const auto& [addr, r] : state.resources) {
    bool covered = false;
    for (const auto& [key, instance] : r.instances)
      covered = covered || targets.covers(AbsInstance{addr.module, addr.resource, key});
    if (!covered) continue;
    if (uint32_t p = cg.provider_node(r.provider); p != UINT32_MAX) wanted[p] = true;
  }
}

std::vector<bool> targeted(const ConfigGraph& cg, const State& state, const TargetIndex& targets) {
  std::vector<bool> wanted(cg.nodes.size());
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    NodeKind k = cg.nodes[n].kind;
    if (k == NodeKind::Resource || k == NodeKind::Output) wanted[n] = covers(targets, cg.nodes[n]);
  }
  mark_state_providers(cg, state, targets, wanted);
  cg.graph.mark_dependencies(wanted);
  // Outputs of the root module whose every resource is selected are brought up to date too.
  std::vector<bool> any(cg.nodes.size()), all(cg.nodes.size(), true), also(cg.nodes.size());
  for (uint32_t n : cg.graph.topological_order()) {
    if (cg.nodes[n].kind == NodeKind::Resource) any[n] = true, all[n] = wanted[n];
    for (uint32_t d : cg.graph.dependencies(n)) any[n] = any[n] || any[d], all[n] = all[n] && all[d];
    if (cg.nodes[n].kind == NodeKind::Output && !cg.nodes[n].node->parent) also[n] = any[n] && all[n];
  }
  cg.graph.mark_dependencies(also);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) wanted[n] = wanted[n] || also[n];
  return wanted;
}

}  // namespace

std::vector<bool> selected_nodes(const ConfigGraph& cg, const State& state,
                                 const std::vector<Target>& targets, const std::vector<Target>& excludes) {
  if (!targets.empty()) return targeted(cg, state, TargetIndex(targets));
  std::vector<bool> included(cg.nodes.size(), true), out(cg.nodes.size());
  if (excludes.empty()) return included;
  std::vector<Target> whole;  // an excluded instance leaves the others of its resource
  std::copy_if(excludes.begin(), excludes.end(), std::back_inserter(whole),
               [](const Target& t) { return !t.has_key; });
  const TargetIndex index(whole);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n)
    out[n] = cg.nodes[n].kind == NodeKind::Resource && covers(index, cg.nodes[n]);
  cg.graph.mark_dependents(out);
  for (uint32_t n = 0; n < cg.nodes.size(); ++n)
    included[n] = !out[n] || cg.nodes[n].kind == NodeKind::ModuleDone;
  return included;
}

}  // namespace xplan
