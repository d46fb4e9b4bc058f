// Objects of the state that the configuration no longer declares, by the resource or module that had them.
#include "core/plan/leaving.h"

#include <algorithm>

#include "core/plan/declared.h"

namespace xplan::planning {
namespace {

bool has_readers(const ConfigGraph& cg) {
  return std::any_of(cg.nodes.begin(), cg.nodes.end(), [](const GraphNode& g) {
    return g.kind == NodeKind::Resource && g.node->module->resources[g.index].addr.mode != Mode::Managed;
  });
}

bool leaves(const PlanRun& run, const AbsResource& r, const ResourceState& state) {
  return std::any_of(state.instances.begin(), state.instances.end(), [&](const auto& i) {
    const AbsInstance a{r.module, r.resource, i.first};
    return i.second.current && !is_declared(run, a) && !is_uncounted(run, a) && orphan_selected(run, a);
  });
}

}  // namespace

void Leaving::look(const PlanRun& run) {
  if (run.options.mode != PlanMode::Normal || !has_readers(run.cg)) return;
  for (const auto& held : run.working.resources) {
    const AbsResource& r = held.first;
    if (r.resource.mode != Mode::Managed) continue;
    const config::Node* n = run.config.find(r.module.module());
    if (!n) continue;
    const int index = n->module->find_resource(r.resource);
    if (index < 0)
      for (const config::Node* above = n; above; above = above->parent) undeclared_[above].push_back(&held);
    else
      declared_[run.cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index))].push_back(&held);
  }
}

bool Leaving::of(const PlanRun& run, uint32_t node) const {
  const auto found = declared_.find(node);
  return found != declared_.end() && std::any_of(found->second.begin(), found->second.end(), [&](auto* held) {
           return leaves(run, held->first, held->second);
         });
}

bool Leaving::below(const PlanRun& run, const config::Node& module) const {
  const auto found = undeclared_.find(&module);
  return found != undeclared_.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](auto* held) { return leaves(run, held->first, held->second); });
}

}  // namespace xplan::planning
