// What a plan demands of moves: that their source is no longer declared (which instances there are is a
// matter of count and for_each), and that targets take in both addresses of what was moved.
//
// Who calls it: the planner: the former when all instances are known, the latter as soon as the moves are
// made. Rules: between addresses without keys a block moves all of a resource or of a module call, and
// whatever declares it contradicts it; with a key on either side it moves one instance, and only that one
// must not be declared. A step without a key means the instance without key. Where expansion has not come
// (unknown numbers), and of what -target leaves out, nothing is declared. Cost: linear in the moved blocks,
// for each instance of the module they are written in. Thread-safety: after the walk.
#pragma once
#include "core/diag/diagnostic.h"
#include "core/plan/moves.h"
#include "core/plan/selection.h"
#include "core/plan/world.h"

namespace xplan {

// Without both addresses a plan would move the object, but not say so.
void require_whole_moves(const Moves& moves, const Selection& selection, Diagnostics& diags);

void require_moved_away(const World& world, const ConfigGraph& cg, const Selection& selection,
                        Diagnostics& diags);

}  // namespace xplan
