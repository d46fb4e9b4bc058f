// What init does about the backend: it records what the configuration asks for, and moves states there.
//
// Who calls it: init.  Contract: nothing is recorded before the states are where the record says; what is
// asked of the user is answered first.  Thread-safety: one thread. Cost: one small file; a migration reads
// and writes every state once.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cmd/xplan/session.h"
#include "core/backend/backend.h"

namespace xplan::cmd {

struct BackendInit {
  std::vector<std::string> given;  // -backend-config: NAME=VALUE or a file
  bool reconfigure = false, migrate = false, force_copy = false, input = true;
  std::string command = "init";  // that does the same again
  bool input_demanded = false;   // -input=true: whoever waits at the other end of a pipe is asked, too
  StateFlags state;              // how states are locked
};
// Whether the states are where a cloud block says.
bool uses_cloud(const config::Config& c);
// Records the backend that the configuration asks for, and opens it; without a backend block there may be
// nothing to do, and `out` stays empty. False after reporting problems.
bool init_backend(Session& s, const config::Config& c, const BackendInit& how,
                  std::unique_ptr<backend::Backend>& out);

}  // namespace xplan::cmd
