// What is told after changes were shown live: what was done, what failed and what to do about it, and what
// took longest.
//
// Who calls it: operation.cc.
// Contract: failures are grouped by their cause, the most frequent first; the text fits a terminal whatever
// has failed. No values but what errors say. Cost: linear in the failures.  Thread-safety: log() as it is,
// text() when the run is over.
#pragma once
#include <chrono>
#include <string>

#include "cmd/xplan/session.h"
#include "core/apply/apply.h"
#include "core/review/work_log.h"

namespace xplan::cmd {

class ApplyReport {
 public:
  explicit ApplyReport(const Plan& plan);
  review::WorkLog& log() { return log_; }
  size_t expected() const { return expected_; }  // operations of the plan
  // Before the diagnostics are printed; to be printed behind them. Empty where there is nothing to say.
  std::string text(const Session& s, const ApplyOutcome& outcome) const;

 private:
  review::WorkLog log_;
  size_t expected_ = 0;
  const std::chrono::steady_clock::time_point begun_;
};

}  // namespace xplan::cmd
