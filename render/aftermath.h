// After an apply: what was done, what failed for which reason and what to do about it, what took longest.
//
// Who calls it: cmd, where the changes were shown on a terminal.
// Contract: a bounded number of lines, the most important last, where eyes are. No values but what errors
// say. Cost: linear in the failures.  Thread-safety: pure.
#pragma once
#include <string>
#include <vector>

#include "core/diag/source.h"
#include "core/review/work_log.h"
#include "render/text.h"

namespace xplan::render {

struct AftermathFacts {
  const review::WorkLog& work;
  std::vector<review::FailureGroup> failures;
  size_t skipped = 0;  // changes that were not begun
  int64_t seconds = 0;
};
std::string aftermath_text(const AftermathFacts& facts, const SourceTable& sources,
                           const HumanOptions& options);

}  // namespace xplan::render
