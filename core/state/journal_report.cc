// Reports what a journal that was left over held: changes that were completed, and those whose outcome nobody
// knows, all of them in one warning.
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/state/journal.h"
#include "core/state/journaled_store.h"
#include "core/state/lock.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

// What the run could not record any more may be in a file where it ran; `who`: began it.
void report_in_flight(const std::vector<JournalRecord>& all, const std::string& who, Diagnostics& diags) {
  if (all.empty()) return;
  std::string text = unknown_outcome_text(
      all, "because the program ended before the response of the provider was recorded.");
  if (!who.empty() && !real_fs().exists(std::string(kRescue)))  // one that is here was looked at
    text += "\n\nThe run was that of " + shown_foreign(who) + ". If it left the file \"" +
            std::string(kRescue) +
            "\" in its working directory, that has their outcome: before the next apply, run " +
            own_command("state push " + std::string(kRescue)) + " there.";
  Diagnostic& told = diags.warn(kUnknownOutcome, std::move(text));
  if (all.size() == 1) told.address = all[0].addr.text();
}

std::string tainted_text(const std::vector<AbsInstance>& all) {
  if (all.size() == 1)
    return "The creation of " + all[0].text() + " was not completed, so it is tainted and will be replaced.";
  std::string out =
      "The creation of these objects was not completed, so they are tainted and will be replaced:";
  State sorted;  // by address, as a state has them
  for (const AbsInstance& a : all) sorted.ensure(a, {});
  std::vector<std::string> tainted;
  for (const auto& [addr, r] : sorted.resources)
    for (const auto& [key, i] : r.instances)
      tainted.push_back(AbsInstance{addr.module, addr.resource, key}.text());
  put_objects(out, tainted);
  return out;
}

// Until the state has the changes, every command finds them in the journal, but only one adds them.
std::string completed_text(const FoldReport& report) {
  if (report.completed == 0) return "An earlier run ended before it finished its changes.";
  const std::string objects =
      report.completed == 1 ? "one object" : std::to_string(report.completed) + " objects";
  const std::string ended = "An earlier run ended before it could write the state";
  if (!report.problem.empty()) return ended + ", after changes to " + objects + ". " + report.problem;
  return ended + ". Its changes to " + objects +
         (report.written ? " were added to the state from its journal." : " were read from its journal.");
}

}  // namespace

void report_fold(const FoldReport& report, bool damaged, Diagnostics& diags) {
  std::string detail = completed_text(report);
  if (damaged)
    detail +=
        " A part of the journal is damaged or missing, so the state may lack a change. Compare the next plan "
        "with the real objects.";
  if (!report.tainted.empty() && report.problem.empty()) detail += "\n\n" + tainted_text(report.tainted);
  diags.warn(kInterruptedRun, std::move(detail));
  report_in_flight(report.in_flight, report.who, diags);
}

void report_tainted(const std::vector<AbsInstance>& tainted, Diagnostics& diags) {
  if (!tainted.empty()) diags.warn("Tainted objects of an interrupted run", tainted_text(tainted));
}

}  // namespace xplan
