// One state where it lives: reading, writing, its lock, backups and the apply journal; and the store in
// files.
//
// Who calls it: backend (makes stores), run and cmd (open, lock), apply (journal), state commands.
// Encryption: everything that is kept, the journal among it, is as the codec has it; see JournaledStore.
// Contract: a state file is replaced atomically and durably (temporary file, fsync, rename, fsync of the
// directory). The serial grows by one with each differing write of a run, the lineage never changes. The
// first differing write of a run keeps the old file as the backup. The lock is the one the reference tools
// use on the same file: an fcntl lock on the state file plus `.NAME.lock.info` beside it, so two processes
// never write at the same time. The file keeps its inode (another program may be waiting for the lock on it),
// yet whoever opens it sees the old content or the new. The journal `NAME.journal` beside the state holds
// records appended while an apply runs: intent before a provider is called, result after it answered; both
// are on disk (group commit) before the caller goes on. The next open folds a journal left by a dead process
// into the state and says what was in flight. Thread-safety: Journal::append may be called from any thread;
// the rest from one. Cost: reading is linear in the file; a journal record is one write and a shared fsync; a
// differing write rewrites the file once, at the end.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/crypt/codec.h"
#include "core/diag/diagnostic.h"
#include "core/state/state.h"
#include "core/state/store_files.h"

namespace xplan {

struct LockInfo {
  std::string id, operation, info, who, version, created, path;
  std::string json() const;
};

// Records of one apply: what to do to the state that the journal was started on, in order.
struct JournalRecord {
  enum class Kind : uint8_t {
    Intent,   // `action` is about to be asked of the provider for `addr` (and `deposed`)
    Result,   // it answered: `object` is now the object at `addr`/`deposed`; a null object: there is none now
    Remove,   // the object at `addr`/`deposed` is gone or forgotten
    Depose,   // the current object of `addr` becomes the deposed object `deposed` (before its successor is
              // created)
    Restore,  // the deposed object `deposed` becomes current again: its successor was not created, and that
              // is known
    Move,  // what is at the first address of each of `moves` is at the second now; all in one step, so chains
           // and swaps work
    Moving,  // what is at the first address of each of `moves` is about to be at the second in another state
             // (`action` says which, `lineage` and `serial` which version of it), and then gone from this one
  } kind = Kind::Intent;
  AbsInstance addr;
  std::string deposed;  // the object's deposed key, empty for the current one
  std::string action;   // create, update, delete, read, …: for the report of what was in flight
  std::string command;  // Moving: that finishes it
  std::string lineage;
  uint64_t serial = 0;
  int results = 1;         // Intent: how many records may follow: two with provisioners (not written)
  bool withdraws = false;  // Result, Remove: the provider was not asked after all (not written)
  ProviderConfigAddr provider;
  ObjectPtr object;                                        // Result: the new object
  std::vector<std::pair<AbsInstance, AbsInstance>> moves;  // Move, Moving: from, to
  bool begins() const {                                    // a change
    return kind == Kind::Intent || kind == Kind::Depose || kind == Kind::Moving;
  }
};

class Journal {
 public:
  virtual ~Journal() = default;
  // Returns when the record is durable. What begins a change (Depose, Intent) also makes sure that there is
  // room for what follows it, so that a full disk is found before a provider is asked. Concurrent callers
  // share one fsync. After an error nothing more can begin: every later Depose and Intent fails. The results
  // of what had begun can still be recorded, unless it was writing itself that failed. Fails after write() of
  // the store, too, which ends the journal.
  virtual Result<void> append(const JournalRecord& r) = 0;
  // append() in two steps: enqueue() gives the record its place in the order and returns its number, await()
  // returns when that record and all before it are durable. 0: it is durable already. Somebody must await
  // each number, or a later one; not `urgent`: others may come first, whose records then share its fsync.
  virtual Result<uint64_t> enqueue(const JournalRecord& r) {
    const Result<void> ok = append(r);
    return ok ? Result<uint64_t>(0) : ok.error();
  }
  virtual Result<void> await(uint64_t /*number*/, bool /*urgent*/) { return {}; }
  // What was announced may be begun: the state is still this run's. Asked after an intent is durable.
  virtual Result<void> may_begin() const { return {}; }
  // After an error of that: what a message about it is called; empty: it was something else.
  virtual std::string_view lost() const { return {}; }
  // Where records wait for a server, as messages name it; empty: they do not leave this machine.
  virtual std::string place() const { return {}; }
  // Intents whose outcome was never handed to append(), because what carried them out ended early.
  virtual std::vector<JournalRecord> unanswered() const { return {}; }
};

class QueueingJournal : public Journal {
 public:
  Result<void> append(const JournalRecord& r) override {
    const Result<uint64_t> number = enqueue(r);
    return number ? await(*number, true) : number.error();
  }
  Result<uint64_t> enqueue(const JournalRecord& r) override = 0;
  Result<void> await(uint64_t number, bool urgent) override = 0;
};

struct StatePaths {
  std::string state;           // read from; empty: terraform.tfstate
  std::string state_out;       // written to; empty: same as state
  std::string backup;          // of what state_out was; empty: state_out + ".backup"; "-": none
  bool each_backup = false;    // `backup` is empty: a name of its own, with the time, for each former state
  bool remote_journal = true;  // of a state on a server that can keep one: there, not on this machine
  const State* successor = nullptr;  // it is read to be replaced by this one (state push)
  bool forced = false;   // and whatever it is: a copy stays here; a journal that does not fit goes
  bool goes_on = false;  // without a journal that cannot be read, which is a warning: nothing will be changed
  bool elsewhere =
      false;  // other commands of this directory do not use it, so its lock is released elsewhere
  bool keeps_copy = false;  // of what replace() replaces on a server, here; files have backups anyway
  bool finishes = false;  // who opens it finishes a move to another state that was begun (unfinished_move())
  bool rescued = true;    // what cannot be written is kept on this machine, and `state push` restores it
};

struct LeftJournal;

class StateStore {
 public:
  virtual ~StateStore() = default;
  // Takes the lock (retrying until `timeout_ms`, or until `stop` is true); on failure the error names the
  // holder in the lines of a "Lock Info:" block. `operation` as in lock files: OperationTypeApply,
  // OperationTypePlan, …
  virtual Result<void> lock(const std::string& operation, int64_t timeout_ms,
                            const std::atomic<bool>* stop = nullptr) = 0;
  // Fine if it is not held. An error: it may still be there.
  virtual Result<void> unlock() = 0;
  virtual bool locked_elsewhere() const = 0;  // a look without taking it
  // The ID of the lock that is held, where it would outlive the process.
  virtual std::string lock_that_stays() const { return {}; }
  // A look at who has the lock; nothing: nobody has. An error: it cannot be told.
  virtual Result<std::optional<LockInfo>> holder() { return Error{"the lock tells nothing of its holder"}; }
  // Releases the lock of this id, whose holder can no longer do that (force-unlock). False: nobody but the
  // holder can.
  virtual bool breaks_locks() const { return true; }
  virtual Result<void> break_lock(const std::string& id) = 0;
  // For whoever is about to release the lock of this holder, or of an unknown one (null): where its run may
  // have left its journal, as a sentence without its full stop. Empty: with the state, where all see it.
  virtual std::string journal_of(const LockInfo* /*holder*/) const { return {}; }
  // The current state; a missing or empty file is an empty state without lineage. Folds in the journal of a
  // dead process and reports what was in flight as warnings: with the lock held the result is written and the
  // journal removed, which is reported; otherwise it is folded in memory only. Creations that may have
  // happened stay in a journal, and are reported again, until the state is next written. A journal of another
  // version of the state, unless all that it has was only begun, is an error with the lock held; without, it
  // is a warning, and nothing can be changed.
  virtual Result<State> read(Diagnostics& diags) = 0;
  // Writes if the content differs from what was last read or written (or if there was no file). Sets serial,
  // lineage and writer version in `s`. When the file cannot be written, the state goes to errored.tfstate in
  // the working directory and the error says so; when that fails as well and the journal lacks something,
  // only unsaved() has it. Creations without a recorded outcome stay in a journal, as after the end of the
  // process.
  virtual Result<void> write(State& s, const TypeSource& types) = 0;
  // Writes with the serial and lineage that `s` has (state push). The caller has compared them.
  virtual Result<void> replace(State& s, const TypeSource& types) = 0;
  // What replace() has ended without folding it, and where it has put a copy of the state that was there
  // (StatePaths::forced and keeps_copy, or a backup); null, empty: nothing, nowhere.
  virtual const LeftJournal* unfolded() const { return nullptr; }
  virtual std::string kept() const { return {}; }
  // Of the journal that was folded into a state to be replaced: objects that are of interest only if it
  // stays.
  virtual const std::vector<AbsInstance>& folded_tainted() const = 0;
  // Of the last read(), where StatePaths::finishes was set: a move to another state that an earlier run has
  // begun; null: none. The state still has the objects, and the next write() ends it. Where it was not set,
  // that is an error with the lock held; without, a warning, and nothing can be changed.
  virtual const JournalRecord* unfinished_move() const { return nullptr; }
  // Of the last read(), write() or replace(): why the journal whose changes the state has is still there.
  virtual std::optional<Error> not_ended() const { return std::nullopt; }
  // A look at what an earlier run has left; null: nothing. Reads the state, but folds nothing.
  virtual Result<std::unique_ptr<LeftJournal>> left_journal() = 0;
  // Removes it after keeping a copy in that file, as it is. With the lock held, after left_journal().
  virtual Result<void> discard_journal(const std::string& copy) = 0;
  // Starts the journal of an apply on top of the state last read or written; the next write() removes it.
  // `types` must outlive it. Without a write() it stays for the next run.
  virtual Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) = 0;
  // After an error of that: the state may not be the one that was read any more.
  virtual bool stale() const { return false; }
  // The process is about to end while the journal is open; from any thread. Waits a moment for records that
  // are on their way; after that nothing is recorded any more, and whoever tries waits for the end. Outcomes
  // that only this process knows go to errored.tfstate in the working directory.
  struct Abandoned {
    std::vector<JournalRecord> unanswered;  // may have begun, and nobody has told the outcome
    std::vector<JournalRecord> unrecorded;  // outcomes that the journal may lack
    std::vector<JournalRecord> late;        // likewise, which came too late for the rescue
    std::vector<JournalRecord> idle;        // nothing was changed, or begins any more
    std::string rescue;                     // the file that has the unrecorded ones; empty: none
    std::string former;                     // where what was in that file is now; empty: nothing was
    std::string problem;                    // why it could not be written
  };
  virtual Abandoned abandon() { return {}; }
  // What would keep the journal from being started, as far as that can be seen beforehand.
  virtual Result<void> can_start_journal() const { return {}; }
  virtual std::string path() const = 0;            // that is written to
  virtual StateFiles files() const { return {}; }  // on this machine, as its user names them
  // What keeps it from being changed, as far as that can be seen without a look at it.
  virtual Result<void> may_change() const { return {}; }
  virtual bool exists() const = 0;  // there was a state, even an empty one, when it was last read
  // The text of a state that could be written nowhere, encrypted where states are, for the user to keep; else
  // empty.
  virtual std::string_view unsaved() const { return {}; }
};
// As a warning, if there is one.
void report_not_ended(const StateStore& store, Diagnostics& diags);
std::unique_ptr<StateStore> open_local_store(
    const StatePaths& paths, const std::shared_ptr<crypt::Codec>& codec = crypt::Codec::plain());
// Of bytes as a store keeps them.
Result<State> read_encrypted_state(std::string bytes, crypt::Codec& codec);

std::string new_uuid();
std::string new_deposed_key(const std::map<std::string, ObjectPtr>& taken);

}  // namespace xplan
