// The state for commands that read or edit it without planning: state, taint, untaint, output, show, console,
// import, workspace, force-unlock, explain, providers; and the dispatch of command groups.
//
// Who calls it: those commands.
// Contract: the configuration is read only for its backend block and may be broken or absent. Each function
// reports what went wrong and then returns false.  Thread-safety: one thread.
#pragma once
#include "cmd/xplan/session.h"

namespace xplan::cmd {

// Flags of commands that change a state.
struct EditFlags : StateFlags {
  bool ignore_remote_version = false;  // accepted for scripts; remote backends only
  void add(Flags& f);
};

enum class Missing : uint8_t { Allowed, Error };

// Opens the state of the selected workspace, or the one that -state names.
bool open_selected_state(Session& s, const StateFlags& flags, const std::string& operation, Missing missing,
                         Opened& out);
// Writes what a command made of an opened state, and unlocks.
bool save_state(Session& s, Opened& o, State& changed);
// The backend of the directory; false after reporting why there is none.
bool folder_backend(Session& s, Backend& out);
// Addresses given as arguments.
bool parse_targets(Session& s, const std::vector<std::string>& texts, std::vector<Target>& out);
bool parse_instance(Session& s, const std::string& text, AbsInstance& out);
// A state file by its path.
Result<State> state_at(Session& s, const std::string& path);
bool read_state_file(Session& s, const std::string& path, State& out);

// A command that is only a group: prints its commands; the exit code.
struct SubCommand {
  std::string_view name;
  int (*run)(Session&, const std::vector<std::string>&);
  std::string_view about;
};
int run_group(Session& s, std::string_view group, std::string_view about, const SubCommand* first,
              size_t count, const std::vector<std::string>& args);

}  // namespace xplan::cmd
