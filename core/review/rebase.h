// Rebase: a saved plan is moved on to a state that has changed since it was made, as long as nothing has
// changed that the plan has read, of the state and of files, or is about to change.
//
// Who calls it: cmd (apply -rebase).
// Contract: after it, applying the plan does what was planned, and keeps all else as the present state has
// it. Otherwise nothing is changed, and each obstacle is told, with the attribute where there is one. What
// other programs did to real objects is not looked at: as for any saved plan, that is between plan and
// provider. Cost: linear in both states and the configuration.  Thread-safety: one thread.
#pragma once
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

// Empty: the plan starts from `present` now.
std::vector<std::string> rebase(Plan& plan, const config::Config& config, const State& present);

}  // namespace xplan::review
