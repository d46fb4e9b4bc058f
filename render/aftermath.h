// After an apply: what was done, what failed for which reason and what to do about it, what took longest.
//
// Who calls it: cmd; all of it where the changes were shown on a terminal.
// Contract: a bounded number of lines, the most important last, where eyes are. No values but what errors
// say. Cost: linear in the failures.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/diag/source.h"
#include "core/review/work_log.h"
#include "render/text.h"

namespace xplan::render {

// What became of the changes of a plan that was not carried out as a whole.
struct ChangeCounts {
  size_t done = 0, failed = 0, not_started = 0;
  bool whole() const { return failed == 0 && not_started == 0; }
};
struct AftermathFacts {
  const review::WorkLog& work;
  std::vector<review::FailureGroup> failures;
  ChangeCounts changes;
  int64_t seconds = 0;
};
// A line: "Apply incomplete! 2,966 done, 4 failed, 30 not started."; `command`: Apply or Destroy; `after`:
// stands before the period.
std::string incomplete_text(const ChangeCounts& changes, std::string_view command, std::string_view after,
                            const HumanOptions& options);
std::string aftermath_text(const AftermathFacts& facts, const SourceTable& sources,
                           const HumanOptions& options);

}  // namespace xplan::render
