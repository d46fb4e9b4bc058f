// The backend block of the configuration, what init recorded of it, and moving states when it changes.
//
// Who calls it: Session when it opens a state; init; workspace commands.
// Contract: the recorded settings count. Where the block says something else than it did when they were
// recorded, commands refuse to work until init was told what becomes of the states: with other settings all
// objects would seem to be gone.  Thread-safety: one thread. Cost: one small file; a migration reads and
// writes every state once.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/session.h"

namespace xplan::cmd {

// False after reporting why there is none. `c` null: the default.
bool selected_backend(Session& s, const config::Config* c, Backend& out);

struct BackendInit {
  std::vector<std::string> given;  // -backend-config: NAME=VALUE or a file
  bool reconfigure = false, migrate = false, force_copy = false, input = true;
  StateFlags state;  // how states are locked
};
// Records the backend that the configuration asks for. False after reporting problems.
bool init_backend(Session& s, const config::Config& c, const BackendInit& how);

}  // namespace xplan::cmd
