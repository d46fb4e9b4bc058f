// Finds out which states move to a new backend, and asks before another state is replaced.
#include "cmd/xplan/migration.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "cmd/xplan/workspace_choice.h"
#include "core/backend/concurrent.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/state/left_journal.h"
#include "core/state/lock.h"
#include "core/state/unknown_outcome.h"

namespace xplan::cmd {

Migration::Outline Migration::outline_of(const State& s) {
  size_t n = 0;
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, i] : r.instances)
      if (addr.resource.mode == Mode::Managed) n += i.deposed.size() + (i.current ? 1 : 0);
  return {s.lineage, s.serial, n, s.empty()};
}

bool Migration::same(const State& a, const Outline& b) {
  return a.lineage == b.lineage && a.serial == b.serial;
}

// "2 objects, serial 3 and lineage "x"".
std::string Migration::version_of(const Outline& s) {
  return fmt::format("{} object{}, serial {} and lineage \"{}\"", s.objects, s.objects == 1 ? "" : "s",
                     s.serial, shown_foreign(s.lineage));
}

void report_interrupted_init(Session& s, std::string_view doing, std::string_view command) {
  s.diags.error("Initialization was interrupted",
                fmt::format("The command was stopped while {}. Run {} again.", doing, own_command(command)));
}

const backend::Backend* KeyedBackend::of(const std::string& workspace) {
  if (workspace == name_ || !open_) return &selected_;
  if (const auto known = others_.find(workspace); known != others_.end()) return known->second.get();
  return others_.emplace(workspace, open_(workspace)).first->second.get();
}

bool Migration::Move::arrived() const {
  return !there.empty && !there.lineage.empty() && state.lineage == there.lineage &&
         state.serial == there.serial;
}

bool Migration::find() {
  const std::string one(backend::kDefaultWorkspace), only = to_->only_workspace();
  Result<std::vector<std::string>> names = std::vector<std::string>{one};
  if (from_->has_workspaces()) names = from_->workspaces();
  if (!names) return failed(Step::List, from_->place(one), names.error());
  several_ = names->size() > 1;
  one_of_several_ = several_ && !only.empty();
  if (one_of_several_) {
    note_staying(*names);
    *names = {s_.workspace()};
  }
  return collect(*names) && look_at_all();
}

bool Migration::collect(const std::vector<std::string>& workspaces) {
  const std::string one(backend::kDefaultWorkspace), only = to_->only_workspace();
  for (const std::string& name : workspaces) {
    std::string becomes = !only.empty() ? only : !from_->only_workspace().empty() ? one : name;
    if (!from_.prepare(name)) return false;
    if (becomes == one && !to_->has_default() && only.empty()) {
      const Result<State> there = read(from_, name, s_.diags);
      if (!there) return report_unread(there.error());
      if (there->empty()) continue;
      if (!name_default()) return false;
      becomes = default_name_;
    }
    if (!to_.prepare(becomes)) return false;
    if (from_->identity(name) != to_->identity(becomes))
      moves_.push_back({name, becomes, from_->place(name), to_->place(becomes)});
  }
  return true;
}

// Of what is there to move, if there is.
bool Migration::look_at_all() {
  std::vector<Result<void>> looks(moves_.size());
  std::vector<Diagnostics> told(moves_.size());
  (void)backend::each_concurrently(looks, [&](size_t i) { return look(moves_[i], told[i]); });
  for (size_t i = 0; i < looks.size(); ++i) {
    const bool refused = told[i].has_errors();
    s_.diags.append(std::move(told[i]));
    if (refused) return false;
    if (!looks[i]) return report_unread(looks[i].error());
  }
  std::erase_if(moves_, [](const Move& m) { return m.state.empty; });
  std::set<std::string> taken;
  for (const Move& m : moves_)
    if (!taken.insert(m.becomes).second)
      return s_.diags.error("Failed to migrate state",
                            fmt::format("The workspace \"default\" cannot become \"{}\", because another "
                                        "workspace has that name. No state was migrated. Run the command "
                                        "again and enter another name.",
                                        m.becomes)),
             false;
  return true;
}

// An error is one of reading; what else is wrong is told.
Result<void> Migration::look(Move& m, Diagnostics& told) {
  const Result<State> mine = read(from_, m.workspace, told);
  if (!mine) return mine.error();
  m.state = outline_of(*mine);
  const Result<State> there =
      read(to_, m.becomes, told);  // also where nothing moves there: it must be usable
  if (!there) return there.error();
  m.there = outline_of(*there);
  if (m.state.empty || m.arrived()) return {};
  if (!m.there.empty) m.lost = objects_missing(*there, *mine, "the one to migrate");
  (void)run::check_version(*to_, m.becomes, how_.state.any_version, told);
  return {};
}

// One that cannot be read stays, too.
void Migration::note_staying(const std::vector<std::string>& names) {
  const std::string selected = s_.workspace();
  std::vector<Result<bool>> stays(names.size(), false);
  (void)backend::each_concurrently(stays, [&](size_t i) -> Result<bool> {
    if (names[i] == selected) return false;
    const Result<std::optional<State>> state = from_->read(names[i]);
    return !state || (*state && !(*state)->empty());
  });
  for (size_t i = 0; i < names.size(); ++i)
    if (*stays[i]) staying_.push_back(from_->place(names[i]));
}

std::string Migration::staying_text(std::string_view intro) const {
  if (staying_.empty()) return {};
  std::string text = fmt::format("\n\n{}", intro);
  for (const std::string& place : staying_) text += fmt::format("\n  - \"{}\"", place);
  return text;
}

// Nothing moves, since the selected workspace is empty.
Decision Migration::decide_to_leave_all() {
  const std::string what = fmt::format(
      "{} The state of the selected workspace \"{}\" is empty, so no state would be migrated.{}",
      to_->has_workspaces() ? "The new backend has a single workspace."
                            : "The new backend does not support workspaces.",
      s_.workspace(), staying_text("These states of other workspaces would stay where they are:"));
  if (how_.force_copy) return Decision::Move;
  if (const std::string by = s_.unasked_by(how_.input); !by.empty()) {
    s_.diags.error("Approval required",
                   fmt::format("{}\n\nCannot ask for confirmation because {} is set. To migrate one of them, "
                               "select its workspace first. Use -force-copy to answer yes.",
                               what, by));
    return Decision::Failed;
  }
  const std::optional<bool> yes =
      s_.yes_or_no(what + "\n\nEnter \"yes\" to use the new backend without them, or \"no\" to abort.",
                   "The new backend was not recorded. Run the command again and answer, or use -force-copy "
                   "to answer yes.");
  if (!yes) return Decision::Failed;
  if (*yes) return Decision::Move;
  s_.diags.error("Migration aborted",
                 fmt::format("The new backend was not recorded. To migrate the state of another workspace, "
                             "restore the former backend block and select that workspace with {}.",
                             own_command("workspace select NAME")));
  return Decision::Failed;
}

bool Migration::name_default() {
  if (!default_name_.empty()) return true;
  const std::string why =
      "The workspace \"default\" has a state, but the new backend requires a name for each workspace.";
  if (const std::string by = s_.unasked_by(how_.input); !by.empty())
    return s_.diags.error("Approval required", why + " Run the command at a terminal, without " + by +
                                                   ", so that it can ask for the new name."),
           false;
  const auto name = ask_line(s_, why + " Enter the name it will have there:",
                             "No state was migrated, and the new backend was not recorded.");
  if (!name || !run::check_workspace(*name, "", s_.diags)) return false;
  default_name_ = *name;
  return true;
}

// Tools that answer for somebody know the question by this line.
constexpr std::string_view kCopyState = "Do you want to copy existing state to the new backend?";

// What replacing the states that are in the way would lose.
std::string Migration::losses() const {
  std::string out;
  for (const Move& m : moves_) {
    if (m.lost.empty()) continue;
    out += fmt::format(
        "\n\nThese objects are only in the state at \"{}\". They would still exist, but no longer be "
        "managed:",
        m.target);
    put_objects(out, m.lost, 20);
  }
  return out;
}

Decision Migration::decide(bool demanded) {
  std::string places;
  const Move* one = nullptr;
  for (const Move& m : moves_) {
    if (m.arrived() || (demanded && m.there.empty && !one_of_several_)) continue;
    one = &m;
    places += fmt::format("\n  - \"{}\" to \"{}\"{}", m.source, m.target,
                          m.there.empty ? "" : ", which has a different state: " + version_of(m.there));
  }
  if (!one && moves_.empty() && !staying_.empty()) return decide_to_leave_all();
  if (!one || how_.force_copy) return Decision::Move;
  const std::string others = staying_text("These states of other workspaces would stay where they are:"),
                    lost = losses();
  if (const std::string by = s_.unasked_by(how_.input); !by.empty()) {
    s_.diags.error(
        "Approval required",
        fmt::format("These states would be migrated:{}{}{}\n\nCannot ask for confirmation because {} "
                    "is set. Use -force-copy to answer yes.",
                    places, lost, others, by));
    return Decision::Failed;
  }
  const std::string_view no = how_.reconfigure ? "\"no\" to leave them where they are" : "\"no\" to abort";
  const std::optional<bool> yes = s_.yes_or_no(
      one_of_several_
          ? fmt::format("{} Do you want to migrate only the state "
                        "of the selected workspace \"{}\"?{}{}{}\n\nEnter \"yes\" to make it the only state "
                        "there, while those of the other workspaces stay where they are, or {}.",
                        to_->has_workspaces() ? "The new backend has a single workspace."
                                              : "The new backend does not support workspaces.",
                        one->workspace, places, lost, others, no)
      : several_
          ? fmt::format(
                "Do you want to migrate these states?{}{}\n\nEnter \"yes\" to migrate all states (backups of "
                "those that are replaced will be kept), or {}.",
                places, lost, no)
      : one->there.empty
          ? fmt::format(
                "{0}\n\nA state exists at \"{1}\", and none at \"{2}\".\n\nEnter \"yes\" to migrate it, "
                "or \"no\" to leave it where it is and start with an empty state at \"{2}\".",
                kCopyState, one->source, one->target)
          : fmt::format(
                "{0}\n\nA different state already exists at \"{2}\". It has {3}, and would be "
                "replaced with the state at \"{1}\", which has {4}.{5}\n\nEnter \"yes\" to replace it "
                "(a backup will be kept), or \"no\" to leave both where they are and continue with "
                "the one at \"{2}\".",
                kCopyState, one->source, one->target, version_of(one->there), version_of(one->state), lost),
      "No state was migrated, and the new backend was not recorded. Run the command again and answer, or use "
      "-force-copy to answer yes.");
  if (!yes) return Decision::Failed;
  if (*yes) return Decision::Move;
  if (!several_ || how_.reconfigure) return Decision::Leave;
  s_.diags.error(
      "Migration aborted",
      "No state was migrated, and the new backend was not recorded. To use the new backend without "
      "these states, run:\n  " +
          std::string(program_name()) + " init -reconfigure");
  return Decision::Failed;
}

std::string Migration::left() const {
  std::string out;
  for (const Move& m : moves_) {
    const bool file = real_fs().exists(m.source);
    out += fmt::format(
        "\nThe state at \"{}\" was not migrated. It stays where it is, but is no longer used. To migrate it "
        "later, {}run:\n  {} state push {}{}\n",
        m.source,
        file ? ""
             : fmt::format("save it to a file with {} in a directory that uses its backend. Then, ",
                           own_command("state pull")),
        program_name(), m.there.empty ? "" : "-force ", file ? shell_word(m.source) : "FILE");
  }
  return out.empty() ? out : out + "\n";
}

Result<State> Migration::read(KeyedBackend& b, const std::string& workspace, Diagnostics& told) {
  const bool elsewhere = &b == &from_;  // what this directory is to use is here once init has ended
  return b.of(workspace)->open(workspace, {.goes_on = true, .elsewhere = elsewhere})->read(told);
}

bool Migration::report_unread(const Error& e) {
  if (s_.stop)
    report_interrupted_init(s_, "reading the states. No state was changed, and the backend is not set up yet",
                            how_.command);
  else
    s_.diags.error("Failed to read state", e.sentence());
  return false;
}

}  // namespace xplan::cmd
