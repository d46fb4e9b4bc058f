// What moved and removed blocks must not say. Checked when a plan is made, not by a mere validation:
// configurations that never reach a plan may hold such statements.
//
// Who calls it: plan, first thing.
// Rules: no move to its own place; no cycle; one source has one destination and one destination one source;
// what was removed is not declared any more. Whether what was moved away still is depends on count and
// for_each: plan/moved_away.h. Cost: linear in the statements of all module paths.  Thread-safety: read-only.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

// `sources`, when given: messages name the places of other blocks.
void validate_moves(const Config& config, const SourceTable* sources, Diagnostics& diags);
// Not for plans that only refresh: they remove nothing.
void validate_removals(const Config& config, const SourceTable* sources, Diagnostics& diags);

}  // namespace xplan::config
