// The state for commands that read or edit it without planning: state, taint, untaint, output, show, console,
// import, workspace, force-unlock, explain, providers.
//
// Who calls it: those commands.
// Contract: the configuration is read only for its backend block and may be broken or absent. Each function
// reports what went wrong and then returns false.  Thread-safety: one thread.
#pragma once
#include "cmd/xplan/session.h"

namespace xplan::cmd {

// Flags of commands that change a state.
struct EditFlags : StateFlags {
  void add(Flags& f);
};

enum class Missing : uint8_t { Allowed, Error };

// Opens the state of the selected workspace, or the one that -state names.
bool open_selected_state(Session& s, const StateFlags& flags, const std::string& operation, Missing missing,
                         Opened& out);
// Writes what a command made of an opened state, and unlocks.
bool save_state(Session& s, Opened& o, State& changed);
// The backend of the directory; null after reporting why there is none.
std::unique_ptr<backend::Backend> backend_of_directory(Session& s);
// Addresses given as arguments.
bool parse_targets(Session& s, const std::vector<std::string>& texts, std::vector<Target>& out);
bool parse_instance(Session& s, const std::string& text, AbsInstance& out);
// A state file by its path.
Result<State> state_at(Session& s, const std::string& path);
bool read_state_file(Session& s, const std::string& path, State& out);

}  // namespace xplan::cmd
