// Where states live: the local backend's files, their lock, backups, workspaces and the apply journal.
//
// Who calls it: cmd (opens, locks), apply (journal), state commands.
// Contract: a state file is replaced atomically and durably (temporary file, fsync, rename, fsync of the folder). The
// serial grows by one with each differing write of a run, the lineage never changes. The first differing write of a run
// keeps the old file as the backup. The lock is the one the field's tools use on the same file: an fcntl lock on the
// state file plus `.NAME.lock.info` beside it, so two processes never write at once.
// The journal `NAME.journal` beside the state holds records appended while an apply runs: intent before a provider is
// called, result after it answered; both are on disk (group commit) before the caller goes on. The next open folds a
// journal left by a dead process into the state and says what was in flight.
// Thread-safety: Journal::append may be called from any thread; the rest from one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/diag/diagnostic.h"
#include "core/state/state.h"

namespace xplan {

struct LockInfo {
  std::string id, operation, info, who, version, created, path;
  std::string json() const;
};

// Records of one apply.
struct JournalRecord {
  enum class Kind : uint8_t { Intent, Result, Remove, Outputs, Checks } kind = Kind::Intent;
  AbsInstance addr;
  std::string deposed;         // the object's deposed key, empty for the current one
  std::string action;          // create, update, delete, read, …: for the report of what was in flight
  ProviderConfigAddr provider;
  ObjectPtr object;            // Result: the new object
};

class Journal {
 public:
  virtual ~Journal() = default;
  // Returns when the record is durable. Concurrent callers share one fsync.
  virtual Result<void> append(const JournalRecord& r) = 0;
};

struct StatePaths {
  std::string state = "terraform.tfstate";   // read from
  std::string state_out;                     // written to; empty: same as state
  std::string backup;                        // empty: state_out + ".backup"; "-": none
};

class StateStore {
 public:
  virtual ~StateStore() = default;
  // Takes the lock (retrying until `timeout_ms`); on failure the error names the holder.
  virtual Result<void> lock(const std::string& operation, int64_t timeout_ms) = 0;
  virtual void unlock() = 0;
  // The current state; a missing file is an empty state without lineage. Folds in a left-over journal (only when
  // locked or `read_only` folding in memory) and reports what was in flight as warnings.
  virtual Result<State> read(Diagnostics& diags) = 0;
  // Writes if the content differs from what was last read or written. Sets serial and lineage in `s`.
  virtual Result<void> write(State& s, const TypeSource& types) = 0;
  // Starts the journal of an apply on top of the state last read; write() then folds and removes it.
  virtual Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) = 0;
  virtual std::string path() const = 0;
};
std::unique_ptr<StateStore> open_local_store(const StatePaths& paths);

// Workspaces of the local backend: DATA_DIR/environment names the selected one; states of others are in
// terraform.tfstate.d/NAME/.
struct Workspaces {
  std::string data_dir = ".terraform";
  std::string workspace_dir = "terraform.tfstate.d";
  std::string current() const;                       // TF_WORKSPACE wins; "default"
  bool overridden() const;                           // by TF_WORKSPACE
  std::vector<std::string> list() const;             // "default" first, then sorted
  Result<void> select(const std::string& name) const;
  Result<void> create(const std::string& name) const;
  Result<void> remove(const std::string& name) const;
  std::string state_path(const std::string& name, const std::string& default_path) const;
};
bool valid_workspace_name(const std::string& name);

// Breaks a lock by id (force-unlock). Errors as the field's tools give them: a live holder is not broken.
Result<void> force_unlock(const std::string& state_path, const std::string& id);
std::string new_uuid();
std::string new_deposed_key(const std::map<std::string, ObjectPtr>& taken);

}  // namespace xplan
