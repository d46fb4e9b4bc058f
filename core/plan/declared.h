// What the configuration says about an instance of the state: whether it is declared, is no longer, or may
// be.
//
// Who calls it: the source files of this folder that plan, for what the state has.
// Contract: answers hold once the nodes that expand what is around the instance were visited.
// Cost: hashed look-ups per module step.  Thread-safety: as PlanRun; nothing is written.
#pragma once
#include "core/plan/plan_run.h"

namespace xplan::planning {

bool is_declared(const PlanRun& run, const AbsInstance& a);
// Every node that decides whether it exists was visited.
bool expansion_known(const PlanRun& run, const AbsResource& a);
// It may be one of the instances that are not counted yet.
bool is_uncounted(const PlanRun& run, const AbsInstance& a);
// Its resource's node has refreshed it, declared or not.
bool is_refreshed(const PlanRun& run, const AbsInstance& a);
// -target and -exclude leave it in, although it is not declared.
bool orphan_selected(const PlanRun& run, const AbsInstance& a);
Reason orphan_reason(const PlanRun& run, const AbsInstance& a);

}  // namespace xplan::planning
