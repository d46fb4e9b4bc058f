// Copies the states of all workspaces from the old backend location to the new one, under both locks, with
// backups and questions, and only then empties the source.
#include "cmd/xplan/migration.h"

#include <fmt/format.h>

#include <optional>

#include "cmd/xplan/workspace_choice.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/state/left_journal.h"
#include "core/state/unknown_outcome.h"

namespace xplan::cmd {
namespace {

bool same(const State& a, const State& b) {
  return a.lineage == b.lineage && a.serial == b.serial;
}

// "2 objects, serial 3 and lineage "x"".
std::string version_of(const State& s) {
  size_t n = 0;
  for (const auto& [addr, r] : s.resources)
    for (const auto& [key, i] : r.instances)
      if (addr.resource.mode == Mode::Managed) n += i.deposed.size() + (i.current ? 1 : 0);
  return fmt::format("{} object{}, serial {} and lineage \"{}\"", n, n == 1 ? "" : "s", s.serial, s.lineage);
}

}  // namespace

void report_interrupted_init(Session& s, std::string_view doing) {
  s.diags.error("Initialization was interrupted",
                fmt::format("The command was stopped while {}. Run {} again.", doing, own_command("init")));
}

const backend::Backend* KeyedBackend::of(const std::string& workspace) {
  if (workspace == name_) return &selected_;
  auto [at, fresh] = others_.try_emplace(workspace);
  if (fresh) at->second = open_(workspace);
  return at->second.get();
}

bool Migration::Move::arrived() const {
  return !there.empty() && !there.lineage.empty() && same(state, there);
}

bool Migration::find() {
  const std::string one(backend::kDefaultWorkspace), only = to_->only_workspace();
  Result<std::vector<std::string>> names = std::vector<std::string>{one};
  if (from_->has_workspaces()) names = from_->workspaces();
  if (!names) return failed("list the workspaces of", from_->place(one), names.error());
  several_ = names->size() > 1;
  one_of_several_ = several_ && !only.empty();
  if (one_of_several_) {
    note_staying(*names);
    *names = {s_.workspace()};
  }
  for (const std::string& name : *names) {
    std::string becomes = !only.empty() ? only : !from_->only_workspace().empty() ? one : name;
    if (becomes == one && !to_->has_default() && only.empty()) {
      State there;
      if (!read(from_, name, there)) return false;
      if (there.empty()) continue;
      if (!name_default()) return false;
      becomes = default_name_;
    }
    Move m{name, becomes, from_->place(name), to_->place(becomes), {}, {}};
    if (from_->identity(name) == to_->identity(becomes)) continue;
    if (!read(from_, name, m.state) || !read(to_, becomes, m.there)) return false;
    if (m.state.empty()) continue;
    if (!m.arrived() && !run::check_version(*to_, becomes, how_.state.any_version, s_.diags)) return false;
    moves_.push_back(std::move(m));
  }
  return true;
}

// One that cannot be read stays, too.
void Migration::note_staying(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name == s_.workspace()) continue;
    const Result<std::optional<State>> state = from_->read(name);
    if (!state || (*state && !(*state)->empty())) staying_.push_back(from_->place(name));
  }
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
    if (m.arrived() || m.there.empty()) continue;
    const std::vector<std::string> lost = objects_missing(m.there, m.state);
    if (lost.empty()) continue;
    out += fmt::format(
        "\n\nThese objects are only in the state at \"{}\". They would still exist, but no longer be "
        "managed:",
        m.target);
    put_objects(out, lost, 20);
  }
  return out;
}

Decision Migration::decide(bool demanded) {
  std::string places;
  const Move* one = nullptr;
  for (const Move& m : moves_) {
    if (m.arrived() || (demanded && m.there.empty() && !one_of_several_)) continue;
    one = &m;
    places += fmt::format("\n  - \"{}\" to \"{}\"{}", m.source, m.target,
                          m.there.empty() ? "" : ", which has a different state: " + version_of(m.there));
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
      : one->there.empty()
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

bool Migration::run() {
  for (Move& m : moves_)
    if (!m.arrived() && !copy(m)) return false;
  if (const std::string left =
          staying_text("These states of other workspaces were not migrated. They stay where they are, but "
                       "are no longer used:");
      !left.empty())
    s_.stream ? s_.stream->log(left.substr(2)) : s_.prose(left + "\n");
  const std::string only = to_->only_workspace(), selected = s_.workspace();
  const bool renamed = selected == backend::kDefaultWorkspace && !default_name_.empty();
  const bool was_only =
      !from_->only_workspace().empty() && to_->has_default() && selected != backend::kDefaultWorkspace;
  if (!one_of_several_ && !renamed && !was_only) return true;
  const std::string now = renamed        ? default_name_
                          : only.empty() ? std::string(backend::kDefaultWorkspace)
                                         : only;
  const Result<void> ok = backend::WorkspaceSelection{s_.data_dir}.select(now);
  return ok.ok() || failed("select the workspace of", to_->place(now), ok.error());
}

bool Migration::leave_source() {
  for (const Move& m : moves_) {
    const backend::Backend* from = from_.of(m.workspace);
    if (!from) return false;
    if (Result<void> ok = from->retire(m.workspace); !ok) return failed("leave", m.source, ok.error());
  }
  return true;
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
        program_name(), m.there.empty() ? "" : "-force ", file ? shell_word(m.source) : "FILE");
  }
  return out;
}

bool Migration::read(KeyedBackend& b, const std::string& workspace, State& out) {
  const backend::Backend* keyed = b.of(workspace);
  if (!keyed) return false;
  Result<State> state = keyed->open(workspace, {.goes_on = true})->read(s_.diags);
  if (!state && s_.stop)
    return report_interrupted_init(
               s_, "reading the states. No state was changed, and the backend is not set up yet"),
           false;
  if (!state) return s_.diags.error("Failed to read state", state.error().sentence()), false;
  out = std::move(*state);
  return true;
}

bool Migration::copy(Move& m) {
  const backend::Backend *from = from_.of(m.workspace), *to = to_.of(m.becomes);
  if (!from || !to) return false;
  // Commands work on the backend that is recorded for the directory, which the block does not say any more.
  const auto source = from->open(m.workspace, {.elsewhere = true}),
             target = to->open(m.becomes, {.elsewhere = true, .keeps_copy = true});
  if (!s_.lock(*source, how_.state, "init")) return false;
  Result<State> mine = source->read(s_.diags);  // what is at work there may have gone on
  bool good = mine.ok() || failed("read", m.source, mine.error());
  good = good && s_.lock(*target, how_.state, "init");
  if (good) {
    m.state = std::move(*mine);
    Result<State> there = target->read(s_.diags);
    good = there.ok() || failed("read", m.target, there.error());
    if (good && !there->empty() && !same(*there, m.state) && !same(*there, m.there))
      good = failed("replace", m.target, Error{"another run has changed it. Run the command again"});
    if (good) good = replace(m, *target, *there);
    s_.unlock(*target);
  }
  s_.unlock(*source);
  return good;
}

// Under both locks.
bool Migration::replace(Move& m, StateStore& target, const State& there) {
  if (Result<void> ok = target.replace(m.state, s_.schemas()); !ok)
    return failed("write", m.target, ok.error());
  if (!s_.stream) s_.io.out(fmt::format("- {} -> {}\n", m.source, m.target));
  const std::string kept = there.empty() ? std::string() : target.kept();
  if (report_lost(m.target, kept, there, m.state, s_.diags) || kept.empty()) return true;
  const std::string text = fmt::format("A copy of the state that was replaced is in \"{}\".\n", kept);
  s_.stream ? s_.stream->log(text) : s_.prose(text);
  return true;
}

bool Migration::failed(std::string_view what, const std::string& place, const Error& e) {
  if (s_.stop && what != "write" && what != "replace")  // those go on
    return report_interrupted_init(
               s_,
               "migrating states. States that were copied are in both places, the others where they "
               "were, and the new backend is not set up yet"),
           false;
  s_.diags.error("Failed to migrate state", fmt::format("Could not {} \"{}\": {}.", what, place, e.message));
  return false;
}

}  // namespace xplan::cmd
