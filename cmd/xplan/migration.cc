// Copies the states of all workspaces from the old backend location to the new one, under both locks, with
// backups and questions, and only then empties the source.
#include "cmd/xplan/migration.h"

#include <fmt/format.h>

#include <optional>

#include "core/backend/workspace.h"
#include "core/base/command_line.h"

namespace xplan::cmd {
namespace {

bool same(const State& a, const State& b) {
  return a.lineage == b.lineage && a.serial == b.serial;
}

}  // namespace

bool Migration::Move::arrived() const {
  return !there.empty() && !there.lineage.empty() && same(state, there);
}

bool Migration::find() {
  const std::string only(backend::kDefaultWorkspace);
  Result<std::vector<std::string>> names = std::vector<std::string>{only};
  if (from_.has_workspaces()) names = from_.workspaces();
  if (!names) return failed("list the workspaces of", from_.place(only), names.error());
  several_ = names->size() > 1;
  one_of_several_ = several_ && !to_.has_workspaces();
  if (one_of_several_) *names = {s_.workspace()};
  for (const std::string& name : *names) {
    const std::string& becomes = one_of_several_ ? only : name;
    Move m{name, becomes, from_.place(name), to_.place(becomes), {}, {}};
    if (from_.identity(name) == to_.identity(becomes)) continue;
    if (!read(from_, name, m.state) || !read(to_, becomes, m.there)) return false;
    if (!m.state.empty()) moves_.push_back(std::move(m));
  }
  return true;
}

Decision Migration::decide(bool demanded) {
  std::string places;
  const Move* one = nullptr;
  for (const Move& m : moves_) {
    if (m.arrived() || (demanded && m.there.empty() && !one_of_several_)) continue;
    one = &m;
    places += fmt::format("\n  - \"{}\" to \"{}\"{}", m.source, m.target,
                          m.there.empty() ? "" : ", which has a different state");
  }
  if (!one || how_.force_copy) return Decision::Move;
  if (!how_.input || s_.stream) {
    s_.diags.error("Approval required",
                   fmt::format("These states would be migrated:{}\n\nCannot ask for confirmation because {} "
                               "is set. Use -force-copy to answer yes.",
                               places, s_.stream ? "-json" : "-input=false"));
    return Decision::Failed;
  }
  const std::optional<bool> yes = s_.yes_or_no(
      one_of_several_
          ? fmt::format("The new backend does not support workspaces. Do you want to migrate only the state "
                        "of the selected workspace \"{}\"?{}\n\nEnter \"yes\" to make it the only state "
                        "there, while those of the other workspaces stay where they are, or \"no\" to abort.",
                        one->workspace, places)
      : several_
          ? fmt::format("Do you want to migrate these states?{}\n\nEnter \"yes\" to migrate all states{}, or "
                        "\"no\" to "
                        "abort.",
                        places,
                        to_.keeps_backups() ? " (backups of those that are replaced will be kept)" : "")
      : one->there.empty()
          ? fmt::format("A state exists at \"{0}\", and none at \"{1}\". Do you want to migrate it?\n\nEnter "
                        "\"yes\" to migrate it, or \"no\" to leave it where it is and start with an empty "
                        "state at \"{1}\".",
                        one->source, one->target)
          : fmt::format(
                "A different state already exists at \"{1}\". Do you want to replace it with the state at "
                "\"{0}\"?\n\nEnter \"yes\" to replace it{2}, or \"no\" to leave both where they are and "
                "continue "
                "with the one at \"{1}\".",
                one->source, one->target, to_.keeps_backups() ? " (a backup will be kept)" : ""),
      "No state was migrated, and the new backend was not recorded. Run the command again and answer, or use "
      "-force-copy to answer yes.");
  if (!yes) return Decision::Failed;
  if (*yes) return Decision::Move;
  if (!several_) return Decision::Leave;
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
  if (!one_of_several_) return true;
  const Result<void> ok =
      backend::WorkspaceSelection{s_.data_dir}.select(std::string(backend::kDefaultWorkspace));
  return ok.ok() || failed("select the default workspace of", to_.place("default"), ok.error());
}

bool Migration::leave_source() {
  for (const Move& m : moves_)
    if (Result<void> ok = from_.retire(m.workspace); !ok) return failed("leave", m.source, ok.error());
  return true;
}

std::string Migration::left() const {
  std::string out;
  for (const Move& m : moves_)
    out += fmt::format(
        "\nThe state at \"{}\" was not migrated. It stays where it is, but is no longer used. "
        "To migrate it later, run:\n  {} state push {}{}\n",
        m.source, program_name(), m.there.empty() ? "" : "-force ", shell_word(m.source));
  return out;
}

bool Migration::read(const backend::Backend& b, const std::string& workspace, State& out) {
  Result<State> state = b.open(workspace)->read(s_.diags);
  if (!state) return s_.diags.error("Failed to read state", state.error().sentence()), false;
  out = std::move(*state);
  return true;
}

bool Migration::copy(Move& m) {
  const auto source = from_.open(m.workspace), target = to_.open(m.becomes);
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
    if (good)
      if (Result<void> ok = target->replace(m.state, s_.schemas()); !ok)
        good = failed("write", m.target, ok.error());
    s_.unlock(*target);
  }
  s_.unlock(*source);
  if (good && !s_.stream) s_.io.out(fmt::format("- {} -> {}\n", m.source, m.target));
  return good;
}

bool Migration::failed(std::string_view what, const std::string& place, const Error& e) {
  s_.diags.error("Failed to migrate state", fmt::format("Could not {} \"{}\": {}.", what, place, e.message));
  return false;
}

}  // namespace xplan::cmd
