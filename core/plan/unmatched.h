// What -target, -exclude and -replace name and nothing has: most likely a slip of the keyboard, so it is
// said.
//
// Who calls it: plan_finish.cc, once the plan has its changes.
// Contract: warnings only, each with the nearest address there is. What could not be counted or was left out
// of the plan gets the benefit of the doubt.  Cost: linear in instances and options (see diag/nearest.h);
// only when there are options. Thread-safety: one thread.
#pragma once
#include "core/plan/planner.h"
#include "core/plan/world.h"

namespace xplan {

// `state` is that of the plan, moves carried out.
void warn_unmatched(const World& world, const State& state, const Plan& plan, const PlanOptions& options,
                    Diagnostics& diags);

}  // namespace xplan
