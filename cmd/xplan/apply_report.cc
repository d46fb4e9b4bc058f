// Counts a plan's operations, and has what became of them printed.
#include "cmd/xplan/apply_report.h"

#include "core/review/summary.h"
#include "render/aftermath.h"

namespace xplan::cmd {

ApplyReport::ApplyReport(const Plan& plan) : begun_(std::chrono::steady_clock::now()) {
  for (const ResourceChange& c : plan.changes) {
    const Action a = c.change.action;
    if (!review::acts(c) || a == Action::NoOp || a == Action::Forget) continue;
    expected_ += is_replace(a) ? 2 : 1;
  }
}

std::string ApplyReport::text(const Session& s, const ApplyOutcome& outcome) const {
  const auto took = std::chrono::steady_clock::now() - begun_;
  render::ChangeCounts changes{outcome.done, 0, 0};
  if (s.diags.has_errors()) changes = {outcome.done, outcome.failed, outcome.skipped.size()};
  return render::aftermath_text({.work = log_,
                                 .failures = failures_by_cause(log_, s.diags, outcome.state),
                                 .changes = changes,
                                 .seconds = std::chrono::duration_cast<std::chrono::seconds>(took).count()},
                                s.sources, s.human);
}

}  // namespace xplan::cmd
