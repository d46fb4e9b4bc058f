// Moved blocks whose source is still declared: only a plan knows, for which instances there are is a matter
// of count and for_each.
//
// Who calls it: the planner, when all instances are known.
// Rules: between addresses without keys a block moves all of a resource or of a module call, and whatever
// declares it contradicts it; with a key on either side it moves one instance, and only that one must not be
// declared. A step without a key means the instance without key. Where expansion has not come (-target,
// unknown numbers) nothing is declared. Cost: linear in the moved blocks, for each instance of the module
// they are written in. Thread-safety: after the walk.
#pragma once
#include "core/diag/diagnostic.h"
#include "core/plan/world.h"

namespace xplan {

void require_moved_away(const World& world, Diagnostics& diags);

}  // namespace xplan
