// Objects that moved blocks gave another resource type become objects of that type, before anything is looked
// at: where one cannot be converted, there is no plan.
//
// Who calls it: the planner, after apply_moves().
// Contract: afterwards no object of the state has a moved_from, or `diags` says why. A provider is asked
// before it is configured; who serves the new type is for the configuration to say, and for the state where
// it does not declare the resource. Cost: one call for each such object, up to the parallelism at the same
// time. Thread-safety: one thread.
#pragma once
#include "core/config/config.h"
#include "core/graph/walk.h"
#include "core/plan/moves.h"
#include "core/plan/stopper.h"
#include "core/provider/provider.h"

namespace xplan {

WalkOutcome convert_moved_objects(const config::Config& config, const Moves& moves, State& state,
                                  ProviderFactory& providers, const WalkOptions& options, Stopper* stopper,
                                  Diagnostics& diags);

}  // namespace xplan
