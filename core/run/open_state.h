// A state that is open, and locked unless that was not wanted.
//
// Who calls it: run.h; cmd, for commands that read or edit a state.  Contract: the lock goes with the object
// at the latest.  Cost: reading is linear in the state; a wait of more than half a second is told to the
// front end.  Thread-safety: one thread.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/backend/backend.h"
#include "core/run/context.h"
#include "core/state/store.h"

namespace xplan::run {

struct LockRequest {
  bool lock = true;
  std::string lock_timeout = "0s";  // in Go's form: 30s, 1m30s, 500ms
};
struct StateRequest : LockRequest {
  std::string state, state_out, backup;             // instead of where the backend says; empty: not set
  bool each_backup = false, remote_journal = true;  // see StatePaths
};

struct OpenState {
  std::unique_ptr<StateStore> store;
  State state;
};

// False after reporting that a workspace cannot have this name, as it could lead elsewhere; `origin`: a
// sentence about where the name comes from, if the user did not just type it.
bool check_workspace(std::string_view name, std::string_view origin, Diagnostics& diags);
bool check_workspace(const Context& c, Diagnostics& diags);  // the selected one
// The state of the context's workspace, for this operation (as lock files name it). False after reporting.
bool open_state(const Context& c, const StateRequest& request, const backend::Backend& backend,
                const std::string& operation, FrontEnd& front, OpenState& out, Diagnostics& diags);
bool lock_state(const Context& c, StateStore& store, const LockRequest& request, const std::string& operation,
                FrontEnd& front, Diagnostics& diags);
// Reports a lock that may still be there.
void unlock_state(StateStore& store, FrontEnd& front, Diagnostics& diags);

}  // namespace xplan::run
