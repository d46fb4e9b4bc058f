// Reports what a journal that was left over held: changes that were completed, and those whose outcome nobody
// knows, all of them in one warning.
#include "core/state/journal.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

void report_in_flight(const std::vector<JournalRecord>& all, Diagnostics& diags) {
  if (all.empty()) return;
  Diagnostic& told =
      diags.warn("Outcome of changes is unknown",
                 unknown_outcome_text(all,
                                      "because the program ended before the response of the provider "
                                      "was recorded."));
  if (all.size() == 1) told.address = all[0].addr.text();
}

}  // namespace

void report_fold(const FoldReport& report, bool damaged, Diagnostics& diags) {
  std::string detail = "An earlier run was stopped before it could write the state. ";
  detail += "Its changes to " +
            (report.completed == 1 ? "one object" : std::to_string(report.completed) + " objects") +
            " were added to the state from its journal.";
  if (report.completed == 0) detail = "An earlier run was stopped before it finished its changes.";
  if (damaged)
    detail +=
        " A part of the journal is damaged and could not be read, so the state may lack a change. Compare "
        "the next plan with the real objects.";
  if (!report.tainted.empty()) {
    detail +=
        "\n\nThe creation of these objects was not completed, so they are tainted, and the next plan will "
        "replace them:";
    std::vector<std::string> tainted;
    for (const AbsInstance& a : report.tainted) tainted.push_back(a.text());
    put_objects(detail, tainted);
  }
  diags.warn(kInterruptedRun, std::move(detail));
  report_in_flight(report.in_flight, diags);
}

}  // namespace xplan
