// Which nodes of the graph an apply visits: without what -target and -exclude left out of the plan and, after
// destroy and refresh-only plans, without what nothing reads.
#include "core/apply/applier.h"

namespace xplan::applying {
namespace {

std::vector<Target> parsed(const std::vector<std::string>& texts) {
  std::vector<Target> out;
  for (const std::string& text : texts)
    if (auto t = parse_target(text)) out.push_back(*t);
  return out;
}

}  // namespace

Selection selection_of(const Plan& plan) {
  return {parsed(plan.targets), parsed(plan.excludes)};
}

// What -target or -exclude kept from being planned is not evaluated either: it may need what was not made.
// When everything is destroyed, nobody reads values but the configurations of providers; after a refresh,
// nobody reads an object that nothing refers to.
std::vector<bool> included_nodes(const config::Config& config, const Plan& plan, const State& state,
                                 Selection& selection) {
  const bool destroy = plan.mode == PlanMode::Destroy, refresh = plan.mode == PlanMode::RefreshOnly;
  const bool selected = !plan.limited_by().empty();
  std::vector<bool> included;
  if (!selected && !destroy && !refresh) return included;
  ConfigGraph planned;  // without the order of destroying
  planned.build(config, &state, destroy);
  planned.graph.freeze();
  if (destroy) {
    for (const GraphNode& g : planned.nodes) included.push_back(g.kind == NodeKind::Provider);
    planned.graph.mark_dependencies(included);
    return included;
  }
  if (selected) {
    selection.choose(planned, state);
    included = selection.nodes;
  }
  if (!refresh) return included;
  std::vector<bool> read;
  for (const GraphNode& g : planned.nodes)
    read.push_back(g.kind != NodeKind::Resource && g.kind != NodeKind::Provider &&
                   g.kind != NodeKind::Barrier && g.kind != NodeKind::ModuleDone);
  planned.graph.mark_dependencies(read);
  for (size_t n = 0; n < read.size() && selected; ++n) read[n] = read[n] && included[n];
  return read;
}

}  // namespace xplan::applying
