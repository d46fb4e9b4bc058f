// Which part of a configuration -target and -exclude leave.
//
// Who calls it: planning, and applying, which leaves out the same.  Invariant: what a selected node depends
// on is selected, and nothing that is selected depends on what is excluded.  Cost: linear in nodes and edges,
// times the options given.  Thread-safety: reads only.
#pragma once
#include <vector>

#include "core/addr/addr.h"
#include "core/plan/config_graph.h"
#include "core/state/state.h"

namespace xplan {

// Per node of the graph: true when it takes part. With targets: what they cover and all it depends on,
// outputs of the root module whose every resource takes part, and the providers of objects in the state that
// are covered.
std::vector<bool> selected_nodes(const ConfigGraph& cg, const State& state,
                                 const std::vector<Target>& targets, const std::vector<Target>& excludes);

}  // namespace xplan
