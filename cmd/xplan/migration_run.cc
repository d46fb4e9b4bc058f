// Copies states from the old backend location to the new one, each under both locks and with a backup, and
// only then empties the source.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "cmd/xplan/interrupt.h"
#include "cmd/xplan/migration.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/stop.h"
#include "core/install/jobs.h"
#include "core/state/left_journal.h"
#include "core/state/unknown_outcome.h"

namespace xplan::cmd {

// Of many locks that take long, it is told once.
class Migration::Waits : public run::FrontEnd {
 public:
  explicit Waits(Session& s) : s_(s) {}
  void slow(run::Slow what) override {
    if (!told_[what == run::Slow::Locking].exchange(true)) s_.slow(what);
  }

 private:
  Session& s_;
  std::array<std::atomic<bool>, 2> told_{};
};

bool Migration::run() {
  Waits front(s_);
  const InterruptTeller teller(
      [this](std::string_view meaning, bool again) { tell_interrupt(meaning, again); });
  const run::Context context = s_.context();
  std::atomic<bool> failed{false};
  install::run_jobs(moves_.size(), [&](size_t i, const install::Tell& tell) {
    Move& m = moves_[i];
    if (m.arrived() || failed || s_.stop) return;
    if (!copy(m, context, front)) failed = true;
    tell([this, &m] { tell_of(m); });
  });
  const bool all =
      std::all_of(moves_.begin(), moves_.end(), [](const Move& m) { return m.copied || m.arrived(); });
  if (!all && s_.stop) report_interrupt();
  if (!all || failed) return false;
  if (const std::string left =
          staying_text("These states of other workspaces were not migrated. They stay where they are, but "
                       "are no longer used:");
      !left.empty())
    s_.stream ? s_.stream->log(left.substr(2)) : s_.prose(left.substr(1) + "\n");
  const std::string only = to_->only_workspace(), selected = s_.workspace();
  const bool renamed = selected == backend::kDefaultWorkspace && !default_name_.empty();
  const bool was_only =
      !from_->only_workspace().empty() && to_->has_default() && selected != backend::kDefaultWorkspace;
  if (!one_of_several_ && !renamed && !was_only) return true;
  const std::string now = renamed        ? default_name_
                          : only.empty() ? std::string(backend::kDefaultWorkspace)
                                         : only;
  const Result<void> ok = backend::WorkspaceSelection{s_.data_dir}.select(now);
  return ok.ok() || this->failed(Step::Select, to_->place(now), ok.error());
}

// Called by several threads. Whoever waits for the turn has no lock that the one before may need.
bool Migration::copy(Move& m, const run::Context& context, Waits& front) {
  const backend::Backend *from = from_.of(m.workspace), *to = to_.of(m.becomes);
  run::LockRequest how = how_.state;
  how.tells_of_stop = false;
  std::unique_lock turn(creations_, std::defer_lock);
  if (to->creates_one_at_a_time() && from->creates_one_at_a_time()) turn.lock();
  // Commands work on the backend that is recorded for the directory, which the block does not say any more.
  // What cannot be written need not be rescued, since the source has it.
  const auto source = from->open(m.workspace, {.elsewhere = true}),
             target = to->open(m.becomes, {.elsewhere = true, .keeps_copy = true, .rescued = false});
  if (!run::lock_state(context, *source, how, "init", front, m.told)) return false;
  note_lock(m.workspace, m.source, source.get());
  Result<State> mine = source->read(m.told);  // what is at work there may have gone on
  bool good = mine.ok() || failed(Step::Read, m.source, mine.error(), m.told);
  if (good && to->creates_one_at_a_time() && !turn) turn.lock();
  good = good && run::lock_state(context, *target, how, "init", front, m.told);
  if (good) {
    note_lock(m.becomes, m.target, target.get());
    const Result<State> there = target->read(m.told);
    good = there.ok() || failed(Step::Read, m.target, there.error(), m.told);
    if (good && !there->empty() && !same(*there, outline_of(*mine)) && !same(*there, m.there))
      good =
          failed(Step::Replace, m.target, Error{"another run has changed it. Run the command again"}, m.told);
    if (good) good = replace(m, *mine, *target, *there);
    run::unlock_state(*target, front, m.told);
    note_lock(m.becomes, m.target, nullptr);
  }
  run::unlock_state(*source, front, m.told);
  note_lock(m.workspace, m.source, nullptr);
  return good;
}

// Under both locks.
bool Migration::replace(Move& m, State& mine, StateStore& target, const State& there) {
  if (Result<void> ok = target.replace(mine, s_.schemas()); !ok)
    return failed(Step::Write, m.target, ok.error(), m.told);
  {
    std::lock_guard guard(at_work_);
    m.copied = true;
  }
  const std::string kept = there.empty() ? std::string() : target.kept();
  if (!report_lost(m.target, kept, there, mine, m.told)) m.kept = kept;
  return true;
}

void Migration::tell_of(Move& m) {
  if (m.copied && !s_.stream) s_.io.out(fmt::format("- {} -> {}\n", m.source, m.target)), s_.io.flush();
  s_.diags.append(std::move(m.told));
  if (m.kept.empty()) return;
  const std::string text = fmt::format("A copy of the state that was replaced is in \"{}\".\n", m.kept);
  s_.stream ? s_.stream->log(text) : s_.prose(text);
}

// Without the last period.
std::string Migration::copied_text() {
  std::vector<std::string> both, left;
  {
    std::lock_guard guard(at_work_);
    for (const Move& m : moves_) (m.copied || m.arrived() ? both : left).push_back(m.source);
  }
  if (both.empty()) return "No state was copied, and the new backend is not set up yet";
  std::string text = "These states were copied, and are in both places:";
  put_objects(text, both);
  if (!left.empty()) text += "\n\nThese were not copied, and are where they were:";
  put_objects(text, left);
  return text + "\n\nThe new backend is not set up yet";
}

void Migration::report_interrupt() {
  report_interrupted_init(s_, "migrating states. " + copied_text(), how_.command);
}

// The second one ends the process, so what would be reported at the end is told now; a state that is just
// being written may be there, too, which running the command again finds out.
void Migration::tell_interrupt(std::string_view meaning, bool again) {
  std::string text(meaning);
  if (again) {
    text += " " + copied_text() + fmt::format(". Run {} again to finish.", own_command(how_.command));
    std::lock_guard guard(at_work_);
    if (!held_.empty())
      text += fmt::format(
          "\n\nThese states stay locked. Before that, release each lock with \"{} force-unlock ID\", in "
          "another directory with the backend block of the state, after {} there, and with TF_WORKSPACE set "
          "to the workspace:",
          program_name(), own_command("init"));
    for (const auto& [state, id] : held_)
      text += fmt::format("\n  - {} (workspace \"{}\"): lock ID {}", state.second, state.first, id);
  }
  if (s_.into) s_.into->log(text);
  if (s_.stream) {
    s_.stream->log(text);
  } else {
    std::string wrapped;
    render::put_wrapped(wrapped, text, s_.human.width - 1);
    s_.io.err("\n" + wrapped + "\n");
  }
  s_.io.flush();
}

// Null: it is not held any more.
void Migration::note_lock(const std::string& workspace, const std::string& place, const StateStore* held) {
  const std::string id = held ? held->lock_that_stays() : "";
  std::lock_guard guard(at_work_);
  if (id.empty())
    held_.erase({workspace, place});
  else
    held_[{workspace, place}] = id;
}

bool Migration::leave_source() {
  for (const Move& m : moves_) {
    const backend::Backend* from = from_.of(m.workspace);
    if (!from) return false;
    if (Result<void> ok = from->retire(m.workspace); !ok) return failed(Step::Leave, m.source, ok.error());
  }
  return true;
}

bool Migration::failed(Step step, const std::string& place, const Error& e) {
  if (s_.stop) report_interrupt();
  return failed(step, place, e, s_.diags);
}

// After an interrupt, run() tells of what ended with it; what is written goes on.
bool Migration::failed(Step step, const std::string& place, const Error& e, Diagnostics& told) {
  constexpr std::string_view kSteps[] = {
      "list the workspaces of", "select the workspace of", "leave", "read", "write", "replace"};
  if (s_.stop && step != Step::Write && step != Step::Replace) return false;
  told.error("Failed to migrate state",
             fmt::format("Could not {} \"{}\": {}.", kSteps[static_cast<size_t>(step)], place, e.message));
  return false;
}

}  // namespace xplan::cmd
