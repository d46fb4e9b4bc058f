// Carrying out a plan: the journal before anything is changed, the changes, the state after them, and what is
// still to be done.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/run/last_apply.h"
#include "core/run/run.h"
#include "core/run/verified.h"

namespace xplan::run {
namespace {

bool changes_outputs(const Plan& plan) {
  return std::any_of(plan.outputs.begin(), plan.outputs.end(),
                     [](const OutputChange& c) { return c.change.action != Action::NoOp; });
}

void warn_of_what_is_left(const Plan& plan, const ApplyOutcome& outcome, Diagnostics& diags) {
  if (!outcome.skipped.empty()) {
    std::string list;
    for (size_t i = 0; i < outcome.skipped.size() && i < 50; ++i) list += "\n  - " + outcome.skipped[i];
    if (outcome.skipped.size() > 50) list += fmt::format("\n  … and {} more", outcome.skipped.size() - 50);
    diags.warn("Planned changes were not applied",
               fmt::format("{} The next plan will include them again:{}",
                           outcome.halted ? "Nothing more was started after the first failure, as -on-error "
                                            "says, so these changes were not made."
                                          : "These changes depend on something that failed, or the run was "
                                            "stopped before they were started.",
                           list));
  }
  if (!plan.deferred.empty())
    diags.warn("Some changes were deferred",
               fmt::format("{} of the changes that the configuration requires {} deferred and not applied. "
                           "Now that more values are known, plan and apply again to complete the changes.",
                           plan.deferred.size(), plan.deferred.size() == 1 ? "was" : "were"));
  if (!plan.limited_by().empty())
    diags.warn(
        "Applied changes may be incomplete",
        fmt::format("The plan was made with {}, so it may not have included all changes that the "
                    "configuration requires. Run a plan without this option to see the remaining changes.",
                    plan.limited_by()));
}

void report_no_journal(const StateStore& store, const Error& why, Diagnostics& diags) {
  diags.error(store.stale() ? "Plan is stale" : "Failed to start the journal",
              why.sentence() + " Nothing was changed.");
}

}  // namespace

bool can_apply(const OpenState& state, Diagnostics& diags) {
  const Result<void> ok = state.store->can_start_journal();
  if (!ok) report_no_journal(*state.store, ok.error(), diags);
  return ok.ok();
}

std::string report_unsaved(const StateStore& store, const Error& why, Diagnostics& diags) {
  std::string text(store.unsaved());
  diags.error(
      "Failed to save state",
      why.sentence() + (text.empty() ? ""
                                     : " To prevent data loss, the whole state is printed to standard "
                                       "error. Save it to a file, and restore that with " +
                                           own_command("state push") + " when there is enough space."));
  return text;
}

std::string save(const Context& c, StateStore& store, State& changed, Diagnostics& diags) {
  const Result<void> ok = store.write(changed, c.schemas);
  if (!ok) return report_unsaved(store, ok.error(), diags);
  report_not_ended(store, diags);
  return {};
}

std::optional<Applied> apply(const Context& c, const config::Config& config, const Plan& plan,
                             const RootValues& variables, OpenState& state, const ApplyRequest& request,
                             FrontEnd& front, Diagnostics& diags) {
  if (!plan.applyable && changes_outputs(plan)) {
    diags.error("Plan cannot be applied",
                "The only changes in this plan are outputs that are no longer declared or whose values "
                "depend on objects that do not exist, and a refresh-only plan can do neither. Create a "
                "normal plan and apply it.");
    return std::nullopt;
  }
  auto journal = state.store->start_journal(c.schemas);
  if (!journal) return report_no_journal(*state.store, journal.error(), diags), std::nullopt;
  const std::shared_ptr<Hooks> hooks = front.begin(Step::Applying);
  ApplyOptions o;
  o.parallelism = request.parallelism;
  o.on_error = request.on_error;
  o.stops = request.stops;
  o.variables = variables;
  o.now = utc_now();
  o.cwd = c.cwd;
  o.stop = c.stop;
  o.hooks = hooks.get();
  o.journal = journal->get();
  o.encryption = &state.encryption;
  log_line(LogLevel::Debug, "core", "apply begins; the journal is open");
  Applied out{apply_plan(config, plan, o, c.providers, diags), {}};
  if (log_enabled(LogLevel::Debug))
    log_line(LogLevel::Debug, "core",
             fmt::format("apply ends: {} added, {} changed, {} destroyed; writing the state",
                         out.outcome.added, out.outcome.changed, out.outcome.destroyed));
  const bool complete = !diags.has_errors();
  out.unsaved = save(c, *state.store, out.outcome.state, diags);
  if (state.encryption.state()->encrypts())
    forget_last_apply(c), forget_verified(c);
  else if (out.unsaved.empty())
    keep_last_apply(c, plan, out.outcome.state, complete), keep_verified(c, plan, out.outcome.state);
  warn_of_what_is_left(plan, out.outcome, diags);
  return out;
}

}  // namespace xplan::run
