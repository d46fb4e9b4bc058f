// The state for commands that read or edit it without planning: state, taint, untaint, output, show, console,
// import, workspace, force-unlock, explain, providers.
//
// Who calls it: those commands.
// Contract: the configuration is read only for its backend block and may be broken or absent. Each function
// reports what went wrong and then returns false.  Thread-safety: one thread.
#pragma once
#include <initializer_list>

#include "cmd/xplan/session.h"

namespace xplan::cmd {

// Flags of commands that change a state.
struct EditFlags : StateFlags {
  enum class Values : uint8_t { OfBlock, OfCommand };  // what -var is for
  void add(Flags& f, Values values = Values::OfBlock);
};

enum class Missing : uint8_t { Allowed, Error };

// Opens the state of the selected workspace, or the one that -state names.
bool open_selected_state(Session& s, const StateFlags& flags, const std::string& operation, Missing missing,
                         Opened& out);
// Writes what a command made of an opened state, and unlocks.
bool save_state(Session& s, Opened& o, State& changed);
// Ends a command that leaves states as they are: a lock that cannot be released is reported.
int finish_unchanged(Session& s, std::initializer_list<const Opened*> opened, int code = 0);
// The backend of the directory; null after reporting why there is none. For a look into states, or for making
// them, it takes flags and the workspace; without, states are only listed and unlocked.
struct OfStates {
  const StateFlags& flags;
  std::string workspace;
};
std::unique_ptr<backend::Backend> backend_of_directory(Session& s,
                                                       const std::optional<OfStates>& states = std::nullopt);
// Addresses given as arguments.
bool parse_targets(Session& s, const std::vector<std::string>& texts, std::vector<Target>& out);
bool parse_instance(Session& s, const std::string& text, AbsInstance& out);
// A state file by its path, "-" for standard input, or its text; encrypted or not. Nothing: the encryption is
// not known, which was reported.
std::optional<Result<State>> state_at(Session& s, const std::string& path, const StateFlags& flags);
std::optional<Result<State>> state_of(Session& s, std::string text, const StateFlags& flags);
bool read_state_file(Session& s, const std::string& path, const StateFlags& flags, State& out);

}  // namespace xplan::cmd
