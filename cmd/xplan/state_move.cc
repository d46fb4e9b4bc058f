// state mv: moves objects to other addresses, in one state or into another one. Two states cannot be written
// at once: the journal of the first says what is under way, the second is written, then the first without the
// objects. Whoever opens the first meanwhile hears of it; the same command finishes it.
#include <fmt/format.h>

#include <algorithm>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/state_access.h"
#include "core/backend/configured.h"
#include "core/base/command_line.h"
#include "core/state/edit.h"
#include "core/state/store_files.h"
#include "core/state/unfinished_move.h"
#include "core/state/unknown_outcome.h"

namespace xplan::cmd {
namespace {

struct MoveFlags : EditFlags {
  std::string backup_out, workspace_out;
  bool dry = false;
  bool elsewhere() const { return !workspace_out.empty() || (!state_out.empty() && state_out != state); }
};

class Move {
 public:
  Move(Session& s, MoveFlags f, std::vector<Target> ends)
      : s_(s), f_(std::move(f)), from_end_(ends[0]), to_end_(ends[1]) {}
  int run();

 private:
  bool open();
  bool open_workspace(const StateFlags& flags);
  bool is_another(const std::string& place, std::string_view option);
  int inside();
  int across();
  int finish_earlier(const JournalRecord& begun);
  bool is_there(const JournalRecord& begun);
  void tell(const std::vector<MovedObject>& moved);
  std::string command() const;
  std::string destination() const;
  bool announce(const State& source);
  int write_both(State& source, State& target, size_t moved);
  int unchanged() { return finish_unchanged(s_, {&from_, &to_}); }

  Session& s_;
  const MoveFlags f_;
  const Target from_end_, to_end_;
  Opened from_, to_;
  std::unique_ptr<Journal> journal_;
};

// That does the same again, without what only matters once.
std::string Move::command() const {
  std::string out = "state mv";
  auto option = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += fmt::format(" -{}={}", name, shell_word(value));
  };
  option("state", f_.state);
  option("state-out", f_.state_out);
  option("workspace-out", f_.workspace_out);
  return out + fmt::format(" {} {}", shell_word(from_end_.text()), shell_word(to_end_.text()));
}

std::string Move::destination() const {
  return f_.workspace_out.empty() ? fmt::format("the state \"{}\"", to_.store->path())
                                  : fmt::format("the state of the workspace \"{}\"", f_.workspace_out);
}

bool Move::open_workspace(const StateFlags& flags) {
  const std::string& name = f_.workspace_out;
  if (!run::check_workspace(name, "", s_.diags)) return false;
  auto fail = [&](std::string_view summary, std::string detail) {
    return s_.diags.error(summary, std::move(detail)), false;
  };
  if (f_.state.empty() && name == s_.workspace())
    return fail("Same workspace",
                fmt::format("The workspace \"{}\" is the selected one, so there is no other state to move "
                            "objects to. Leave out -workspace-out to move them inside of it.",
                            name));
  Diagnostics ignored;
  const std::unique_ptr<config::Config> c = s_.load_structure(ignored);
  auto encryption = s_.encryption_of(c.get(), f_.variables, name, s_.diags);
  if (!encryption) return false;
  to_.encryption = std::move(*encryption);
  const auto backend = backend::configured(c.get(), s_.opening(to_.encryption), s_.diags).backend;
  if (!backend) return false;
  if (!backend->has_workspaces())
    return fail("Workspaces are not supported",
                "The backend of this working directory keeps a single state and does not support workspaces. "
                "Use -state-out to move objects into a state file.");
  const Result<std::vector<std::string>> names = backend->workspaces();
  if (!names) return fail("Failed to list workspaces", names.error().sentence());
  if (std::find(names->begin(), names->end(), name) == names->end()) {
    const std::string_view near = did_you_mean(name, {names->begin(), names->end()});
    return fail(
        "Workspace does not exist",
        fmt::format("There is no workspace \"{}\". Create it with {}, and then select this one again.{}",
                    name, own_command("workspace new " + name),
                    near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near)));
  }
  if (!is_another(backend->place(name), "workspace-out")) return false;
  run::Context there = s_.context();
  there.workspace = name;
  return run::open_state(there, flags, *backend, "state-mv", s_, to_, s_.diags);
}

// Than the source, whatever its name. `option`: that leads there.
bool Move::is_another(const std::string& place, std::string_view option) {
  if (!is_one_file(from_.store->path(), place)) return true;
  s_.diags.error(
      "Same state",
      fmt::format("-{} leads to the state \"{}\", which the objects are in, so there is no other state "
                  "to move them to. Leave out -{} to move them inside of it.",
                  option, from_.store->path(), option));
  return false;
}

bool Move::open() {
  StateFlags here = f_, there = f_;
  here.finishes = f_.elsewhere();
  here.state_out.clear();
  there.state = f_.state_out, there.state_out.clear(), there.backup = f_.backup_out;
  if (!f_.state_out.empty()) here.beside = {files_of({.state = f_.state_out, .backup = f_.backup_out})};
  if (!open_selected_state(s_, here, "state-mv", Missing::Error, from_)) return false;
  if (!f_.elsewhere()) return true;
  there.beside = {from_.store->files()};
  there.rescued = false;  // the source still has the objects, and the same command writes them again
  const bool opened = !f_.workspace_out.empty()
                          ? open_workspace(there)
                          : is_another(f_.state_out, "state-out") &&
                                open_selected_state(s_, there, "state-mv", Missing::Allowed, to_);
  if (opened) return true;
  s_.unlock(*from_.store);
  return false;
}

void Move::tell(const std::vector<MovedObject>& moved) {
  const std::string there = f_.elsewhere() ? destination() : "";  // otherwise, the address changes
  for (const MovedObject& m : moved)
    s_.tell(fmt::format("{} {} to {}", f_.dry ? "Would move" : "Move", InstanceKey::quoted(m.from),
                        m.from == m.to ? there : InstanceKey::quoted(m.to)));
}

int Move::inside() {
  State next = from_.state;
  const auto moved = move_objects(next, next, from_end_, to_end_, s_.diags);
  if (s_.diags.has_errors()) return unchanged();
  tell(moved);
  if (f_.dry) return unchanged();
  if (!save_state(s_, from_, next)) return s_.finish();
  s_.tell(fmt::format("Successfully moved {} object(s).", moved.size()));
  return s_.finish();
}

// In the journal of the state that the objects are in; nothing has changed yet.
bool Move::announce(const State& source) {
  JournalRecord r;
  r.kind = JournalRecord::Kind::Moving;
  r.action = destination();
  r.command = command();
  r.lineage = to_.state.lineage;
  r.serial = to_.state.serial;
  for (const auto& [addr, resource] : from_.state.resources)
    for (const auto& [key, instance] : resource.instances)
      if (const AbsInstance a{addr.module, addr.resource, key}; !source.find(a))
        r.moves.emplace_back(a, moved_address(a, from_end_, to_end_));
  auto journal = from_.store->start_journal(s_.schemas());
  const Result<void> ok = journal ? (*journal)->append(r) : journal.error();
  if (ok) return journal_ = std::move(*journal), true;
  s_.diags.error("Failed to start the journal", ok.error().sentence() + " Nothing was changed.");
  return false;
}

// The destination first: an object in two states is better than one in none.
int Move::write_both(State& source, State& target, size_t moved) {
  const bool done = s_.save(*to_.store, target) && s_.save(*from_.store, source);
  if (done)
    s_.tell(fmt::format("Successfully moved {} object(s).", moved));
  else
    s_.diags.warn(
        kUnfinishedMove,
        fmt::format("The objects are still in the state \"{}\". When the cause of the error is fixed, "
                    "run the command again to finish the move.",
                    from_.store->path()));
  return unchanged();
}

// Whether the other state has what an earlier command was to write to it. An error: something else did.
bool Move::is_there(const JournalRecord& begun) {
  std::vector<std::string> missing;
  for (const auto& [here, there] : begun.moves) {
    const InstanceState *mine = from_.state.find(here), *theirs = to_.state.find(there);
    const bool same =
        theirs && (!mine || !mine->current ||
                   (theirs->current && object_id(*theirs->current) == object_id(*mine->current)));
    if (!same) missing.push_back(there.text());
  }
  if (missing.empty()) return true;
  std::string text = fmt::format(
      "The move of an earlier command was written to neither state, or {} has been changed since: it does "
      "not have "
      "these objects, or has others there:",
      destination());
  put_objects(text, missing, 20);
  const std::string which = f_.state.empty() ? "" : "-state=" + shell_word(f_.state) + " ";
  s_.diags.error(
      "Move cannot be finished",
      text + fmt::format("\n\nThe state \"{}\" still has the objects. To leave both states as they "
                         "are, run {}.",
                         from_.store->path(), own_command("state journal " + which + "-discard")));
  return false;
}

int Move::finish_earlier(const JournalRecord& begun) {
  if (const std::string path = from_.store->path();
      begun.command != command() || !doubt_of_move(begun, path, from_.state).empty()) {
    s_.diags.error(std::string(kUnfinishedMove),
                   unfinished_move_text(begun, path, from_.state) + "Nothing was changed.");
    return unchanged();
  }
  if (!is_there(begun)) return unchanged();
  State source = from_.state;
  for (const auto& [here, there] : begun.moves) source.remove(here);
  for (const auto& [here, there] : begun.moves)
    s_.tell(fmt::format("{} {} to {}", f_.dry ? "Would finish moving" : "Finish moving",
                        InstanceKey::quoted(here.text()), InstanceKey::quoted(there.text())));
  if (f_.dry) return unchanged();
  if (s_.save(*from_.store, source))
    s_.tell(fmt::format("Successfully moved {} object(s).", begun.moves.size()));
  return unchanged();
}

int Move::across() {
  const JournalRecord* begun = from_.store->unfinished_move();
  const bool written = begun && !(begun->lineage == to_.state.lineage && begun->serial == to_.state.serial);
  if (begun && (written || begun->command != command())) return finish_earlier(*begun);
  State source = from_.state, target = to_.state;
  const auto moved = move_objects(source, target, from_end_, to_end_, s_.diags);
  if (s_.diags.has_errors()) return unchanged();
  tell(moved);
  if (f_.dry || (!begun && !announce(source))) return unchanged();
  return write_both(source, target, moved.size());
}

int Move::run() {
  if (!open()) return s_.finish();
  return f_.elsewhere() ? across() : inside();
}

}  // namespace

int run_state_mv(Session& s, const Args& args) {
  std::vector<std::string> given;
  MoveFlags f;
  f.each_backup = true;
  Flags flags("state mv SOURCE DESTINATION",
              "Moves a resource instance, a resource or a module to another address, in this state or to "
              "another one.");
  flags.flag("dry-run", f.dry, "Only print what would be moved.")
      .text("backup-out", f.backup_out, "Where to back up the previous state of -state-out.", "PATH")
      .text("workspace-out", f.workspace_out,
            "Move into the state of this workspace. Like with -state-out, a command that is ended meanwhile "
            "leaves the objects in the first state or in both; the same command finishes it.",
            "NAME");
  f.add(flags);
  flags.arguments(given, 2, 2, "a source and a destination address");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  std::vector<Target> ends;
  if (!parse_targets(s, given, ends)) return s.finish();
  if (!f.workspace_out.empty() && !f.state_out.empty()) {
    s.diags.error("Incompatible command line options",
                  "-state-out and -workspace-out cannot be used together.");
    return s.finish();
  }
  return Move(s, std::move(f), std::move(ends)).run();
}

}  // namespace xplan::cmd
