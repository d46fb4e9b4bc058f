// Which resources have their successors created before they are destroyed, as the state records it.
//
// Who calls it: the planner; planfile, for plans of the reference, which do not say it.
// Contract: a resource that has create_before_destroy demands it of all that it depends on, directly or not,
// whatever the targets are. What is deleted or forgotten keeps what the state has. Cost: linear in the graph;
// derive_create_first() makes that of the configuration. Thread-safety: pure functions of what they are
// given.
#pragma once
#include <vector>

#include "core/plan/config_graph.h"
#include "core/plan/plan.h"

namespace xplan {

// By node; true for other nodes than resources, too, where they lead to one. Call after graph.freeze().
std::vector<bool> create_first(const ConfigGraph& cg);

// Fills in create_before_destroy of all changes from the configuration and the state of the plan.
void derive_create_first(Plan& plan, const config::Config& config);

}  // namespace xplan
