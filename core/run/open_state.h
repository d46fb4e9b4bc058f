// A state that is open, and locked unless that was not wanted.
//
// Who calls it: run.h; cmd, for commands that read or edit a state.  Contract: the lock goes with the object
// at the latest.  Cost: reading is linear in the state; a wait of more than half a second is told to the
// front end.  Thread-safety: one thread.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/crypt/encryption.h"
#include "core/run/context.h"
#include "core/state/store.h"

namespace xplan::run {

struct LockRequest {
  bool lock = true;
  std::string lock_timeout = "0s";  // in Go's form: 30s, 1m30s, 500ms
  bool tells_of_stop = true;        // false: who asks reports that the run was stopped, and what follows
};
struct StateRequest : LockRequest {
  std::string state, state_out, backup;  // instead of where the backend says; empty: not set
  bool each_backup = false, remote_journal = true, forced = false, finishes = false, goes_on = false,
       rescued = true;
  const State* successor = nullptr;  // see StatePaths
  std::vector<StateFiles> beside;    // of other states that are open at the same time
  // The state is edited outside of runs. Where those are the server's, its program must be able to read what
  // is written; with `any_version` that is only a warning.
  bool edits = false, any_version = false;
};

struct OpenState {
  std::unique_ptr<StateStore> store;
  State state;
  bool workspace_is_new = false;      // there is neither a state nor anything else of it
  bool in_files = true;               // of this machine, where one that was not written yet is no text at all
  crypt::Encryption encryption = {};  // of the configuration that it was opened for; the backend has it, too
};

backend::Opening opening_of(const Context& c, const crypt::Encryption& e);  // of backends, in this run
// False after reporting that a workspace cannot have this name, as it could lead elsewhere; `origin`: a
// sentence about where the name comes from, if the user did not just type it.
bool check_workspace(std::string_view name, std::string_view origin, Diagnostics& diags);
bool check_workspace(const Context& c, Diagnostics& diags);  // the selected one
// Before a state is written outside of runs, as StateRequest::edits says.
bool check_version(const backend::Backend& backend, const std::string& workspace, bool any_version,
                   Diagnostics& diags);
// The state of the context's workspace, for this operation (as lock files name it). False after reporting.
bool open_state(const Context& c, const StateRequest& request, const backend::Backend& backend,
                const std::string& operation, FrontEnd& front, OpenState& out, Diagnostics& diags);
bool lock_state(const Context& c, StateStore& store, const LockRequest& request, const std::string& operation,
                FrontEnd& front, Diagnostics& diags);
// Reports a lock that may still be there.
void unlock_state(StateStore& store, FrontEnd& front, Diagnostics& diags);

}  // namespace xplan::run
