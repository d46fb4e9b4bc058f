// What a finding says, in a sentence or a few.
//
// Who calls it: SARIF, annotations.
// Contract: names and messages are shown without control characters; no sensitive value; long lists end.
// Cost: linear in what is told.  Thread-safety: pure.
#pragma once
#include <string>

#include "core/review/review.h"

namespace xplan::render {

std::string finding_text(const review::Finding& finding);

}  // namespace xplan::render
