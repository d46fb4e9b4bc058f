// What to say when a walk ended by an exception: of memory that was not sufficient, or of a bug.
//
// Who calls it: planning, validation, evaluation for the console, generation of configuration.
// Contract: one error, if there was an exception. Cost: none.  Thread-safety: pure.
#pragma once
#include <string_view>

#include "core/diag/diagnostic.h"
#include "core/graph/walk.h"

namespace xplan {

// summary: the heading where it was not memory; consequence: sentences or none.
void report_ended_early(const WalkOutcome& walked, std::string_view summary, std::string_view consequence,
                        Diagnostics& diags);

}  // namespace xplan
