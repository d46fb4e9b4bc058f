// Moves: `moved` blocks and implied moves, carried out on a state before anything is planned.
//
// Who calls it: the planner, once per plan.
// Rules: the specification's "Moves" and the notes on blocked and implied moves. Chains are followed from any
// point; a move whose destination is taken is a warning and leaves the object where it is: of a whole
// resource all its instances, where the destination has any instance, and of a module all that stands in one
// module instance, where the destination has any resource. The instance without key and the instance [0]
// become each other when count comes or goes, before any other move, unless a statement names the resource in
// that module instance. Method: statements are ordered so that one whose destination is another's source
// comes first, and otherwise those that move more; then each is carried out on all objects it matches; what a
// statement names is looked up by address. Errors: cycles, and two statements for one address of a module
// instance, as far as config/moves_check.h cannot see them without keys. Cost: linear in state, statements
// and what they move, times the depth of modules. Thread-safety: none needed.
#pragma once
#include <unordered_map>

#include "core/config/config.h"
#include "core/state/state.h"

namespace xplan {

struct Moves {
  std::unordered_map<AbsInstance, AbsInstance> previous;  // new address → the address before this run
  std::unordered_map<AbsInstance, Range> converted;       // to another resource type: by which moved block
};
Moves apply_moves(const config::Config& config, State& state, Diagnostics& diags);

}  // namespace xplan
