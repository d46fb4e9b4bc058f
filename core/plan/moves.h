// Moves: `moved` blocks and implied moves, carried out on a state before anything is planned.
//
// Who calls it: the planner, once per plan.
// Rules: the specification's "Moves" and the notes on blocked and implied moves. Chains are followed transitively from any
// point; a move whose destination is taken is a warning and leaves the object where it is; an instance without key and
// the instance [0] are moved into each other when count comes or goes, unless an explicit move names them.
// Cost: linear in state and moved blocks.  Thread-safety: none needed.
#pragma once
#include <unordered_map>

#include "core/config/config.h"
#include "core/state/state.h"

namespace xplan {

struct Moves {
  std::unordered_map<AbsInstance, AbsInstance> previous;  // new address → the address before this run
  std::vector<std::pair<AbsInstance, AbsInstance>> blocked;
};
// Changes `state`. Instances whose resource type changes keep their recorded type in `cross_type` (new address →
// the old resource), to be converted by the provider.
Moves apply_moves(const config::Config& config, State& state, Diagnostics& diags);

}  // namespace xplan
