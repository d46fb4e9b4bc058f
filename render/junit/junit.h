// A plan as a JUnit report: a test case for each change, drifted object, output, deferred change and check,
// and for each error of planning.
//
// Who calls it: cmd (show -junit, -out-junit), for pipelines that collect such reports.
// Contract: a case fails where -fail-on forbids what it is about, or where a check failed; a check whose
// result is known only after the apply is skipped. Well-formed XML 1.0 whatever names and messages contain.
// No values, so no sensitive ones. Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/diag/source.h"
#include "core/review/review.h"
#include "render/text.h"

namespace xplan::render {

// `sources` resolves places; `directory` goes before the names of files.
void write_junit(const review::Review& review, const SourceTable& sources, std::string_view directory,
                 const Sink& sink);

}  // namespace xplan::render
