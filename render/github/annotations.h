// Findings and diagnostics as GitHub's workflow commands: annotations at files and lines.
//
// Who calls it: cmd (-github).
// Contract: a line each, which nothing in a name or a message can end or add to; at most as many of a level
// as GitHub shows of one step, the worst first, the last of which says how many there are in all.
// Cost: linear in the findings, their texts only where shown.  Thread-safety: pure.
#pragma once
#include <string>

#include "core/diag/diagnostic.h"
#include "core/review/review.h"

namespace xplan::render {

// Of findings: problems and what -fail-on forbids are left to diagnostics, and so are checks if those are
// told, too.
enum class Checks : unsigned char { Annotated, ToldByDiagnostics };
std::string github_annotations(const review::Review& review, Checks checks, const SourceTable& sources,
                               std::string_view directory);
std::string github_annotations(const Diagnostics& diags, const SourceTable& sources,
                               std::string_view directory);

}  // namespace xplan::render
