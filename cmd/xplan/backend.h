// What init does about the backend: it records what the configuration asks for, and moves states there.
//
// Who calls it: init.  Contract: nothing is recorded before the states are where the record says; what is
// asked of the user is answered first.  Thread-safety: one thread. Cost: one small file; a migration reads
// and writes every state once.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/session.h"

namespace xplan::cmd {

struct BackendInit {
  std::vector<std::string> given;  // -backend-config: NAME=VALUE or a file
  bool reconfigure = false, migrate = false, force_copy = false, input = true;
  StateFlags state;  // how states are locked
};
// Records the backend that the configuration asks for. False after reporting problems.
bool init_backend(Session& s, const config::Config& c, const BackendInit& how);

}  // namespace xplan::cmd
