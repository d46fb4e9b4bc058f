// The journal of an apply: writing it, and folding what a dead process left into the state.
//
// Who calls it: journal homes (where journals are kept), journaled_store.cc; tests.
// Form: one line for each record, "LENGTH CHECKSUM JSON" with LENGTH (of the JSON) and CHECKSUM (CRC-32 of
// it) as eight hexadecimal digits each. The first record names the state (lineage and serial) the others are
// to be applied to; the last, "commit", names the state they went into. Contract: append() and await() return
// when the record is durable. A line that was not completed is left out when folding, whatever its length;
// lines behind a damaged place still count, since each of them says what a provider answered. Records only
// ever apply to the state they were written for: another lineage or serial is an error. Where a medium makes
// several parts durable at the same time, a record counts for its writer when all before it are durable too;
// a reader takes what is there but for intents behind what is not, which never counted, so nothing was begun.
// A result that is there without that of what it depends on cannot be: its own intent counted before it.
// Cost: one write and one sync of the medium for all records that are waited for at the same time; folding is
// linear in the file. Thread-safety: JournalWriter::enqueue and await from any thread, the rest from one. Why
// lines of JSON: in an emergency people read them, and sizes do not matter beside an fsync.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/state/store.h"

namespace xplan {

// For objects that are all JSON text already, which need no types to be written.
struct NoTypes : TypeSource {
  std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override { return std::nullopt; }
};

struct JournalBase {
  std::string lineage;
  uint64_t serial = 0;
  std::string next_lineage = {};  // of what becomes of a state that has none
  uint64_t digest = 0;            // of its whole text; 0: not known
};
// Where a segment belongs: none is taken for a part of another journal, and one that is missing is noticed.
inline constexpr const char* kNoLock = "none";
struct JournalPart {
  std::string key;      // of the state, the same however its server is reached
  std::string run;      // whose journal it is
  uint64_t number = 0;  // from 1 on
  uint64_t after = 0;   // all until this one are durable
  // Before this one, not durable, and without records: they only show that the run is at work.
  std::vector<uint64_t> beats = {};
  // The kinds of locks that its run holds, apart by spaces, or kNoLock; "": a former version does not say.
  std::string locks = {};
  // Of its writer, as in locks: who, in which process, and when it began this one.
  std::string who = {}, process = {}, time = {};
};
struct JournalCommit {
  std::string lineage;
  uint64_t serial = 0;
  uint64_t digest = 0;                             // of the whole text
  std::optional<uint64_t> records = std::nullopt;  // how many of the journal it has; nothing: all before it
  bool same_state(const JournalCommit& o) const {
    return lineage == o.lineage && serial == o.serial && digest == o.digest;
  }
};

uint64_t text_digest(std::string_view text);

struct ObjectPlace {
  AbsInstance addr;
  std::string deposed;
  bool operator==(const ObjectPlace&) const = default;
  struct Hash {
    size_t operator()(const ObjectPlace& p) const {
      return std::hash<AbsInstance>()(p.addr) ^ std::hash<std::string>()(p.deposed) * 31;
    }
  };
};
// Of the intent that this record tells the outcome of; nothing: it tells none.
std::optional<ObjectPlace> place_answered(const JournalRecord& r);

// Where the lines of a journal go while it grows. Numbers are what the system said (errno), 0 when all is
// well, because texts are made where there may be memory for them.
class JournalMedium {
 public:
  virtual ~JournalMedium() = default;
  // For that many bytes behind the end.
  virtual int make_room(int64_t) { return 0; }
  // What was written outlives this process as far as the medium can do that.
  virtual int write(std::string_view line) = 0;
  // What was written since the last cut, which one sync() makes durable. Not beside a write.
  struct Cut {
    uint64_t number = 0;
    std::string bytes;
  };
  virtual Cut cut() { return {}; }
  // While others may write; concurrent_syncs() of them beside each other.
  virtual int sync(const Cut& cut) = 0;
  virtual size_t concurrent_syncs() const { return 1; }
  // How many bytes can follow until it is as large as readers take.
  virtual int64_t left() const { return INT64_MAX; }
  virtual Error problem(int code) const = 0;
  // Whether others may have taken this run for dead, and have begun to change what it changes. An error: they
  // have, as far as it can be seen; `lost` is what a message about that is called.
  virtual Result<bool> in_doubt() { return false; }
  virtual std::string_view lost() const { return {}; }
  // After something was written that says that this run is at work, which ends the doubt or is an error.
  virtual Result<void> look() { return {}; }
};

class JournalWriter : public QueueingJournal {
 public:
  // With its first record, durably.
  static Result<std::shared_ptr<JournalWriter>> begin(std::unique_ptr<JournalMedium> medium, std::string name,
                                                      const JournalBase& base, const TypeSource& types);
  ~JournalWriter() override;
  Result<uint64_t> enqueue(const JournalRecord& r) override;
  Result<void> await(uint64_t number, bool urgent) override;
  Result<void> commit(const JournalCommit& c);  // the state is about to be written
  void close();                                 // no more records
  bool failed() const;                          // some record is not in it
  std::vector<JournalRecord> unanswered() const override;
  // Whether this run is the only one that changes the state, as far as its medium tells. A look where that is
  // in doubt, which one thread takes for all.
  Result<void> settle_doubt();
  std::string_view lost() const override;
  // For snapshots: keeps the records from now on, in their order, until they are taken. take() returns how
  // many there have been in all.
  void collect();
  uint64_t take(std::vector<JournalRecord>& out);
  // For a rescue: from now on, keeps every record but intents, whether or not it can be written.
  void keep();
  // The process is about to end. Waits for what is on its way, at most that long; from then on, whoever
  // appends something waits for the end.
  struct Abandoned {
    std::vector<JournalRecord> kept;
    size_t durable = 0;  // of those kept, from the first
  };
  Abandoned abandon(std::chrono::milliseconds patience);
  // After that: outcomes that somebody has wanted to record since, and the intents that are without one now.
  // Those that do not count never begin.
  struct Remaining {
    std::vector<JournalRecord> late, counting, idle;
  };
  Remaining remaining() const;

 private:
  JournalWriter(std::unique_ptr<JournalMedium> medium, std::string name, const JournalBase& base,
                const TypeSource& types);
  Result<void> append_line(std::string_view line);
  Result<uint64_t> enqueue_line(std::string_view line, const JournalRecord* record = nullptr);
  int find_room(const JournalRecord& r, size_t line);
  bool make_durable(std::unique_lock<std::mutex>& lock, uint64_t mine);
  void gather(std::unique_lock<std::mutex>& lock);
  void sync_once(std::unique_lock<std::mutex>& lock);
  Error problem(int code) const;
  void note_answer(const JournalRecord& r);
  void hand(const JournalRecord* r, uint64_t number);
  std::vector<JournalRecord> open_intents() const;
  const std::string name_, begin_;          // its first line
  uint64_t waiting_ = 0;                    // records that came since the last sync began
  uint64_t expected_ = 1;                   // how many records come together
  std::chrono::microseconds last_sync_{0};  // how long it took
  std::chrono::steady_clock::time_point last_cut_;
  std::condition_variable arrived_;
  std::shared_ptr<JournalMedium> medium_;  // null once it is closed
  const TypeSource& types_;
  mutable std::mutex mutex_;
  std::mutex doubt_;  // before that one
  std::condition_variable written_;
  struct UnderWay {
    JournalRecord intent;
    uint64_t number = 0;  // its own
    int to_come = 0;      // records
    bool answered = false;
  };
  std::unordered_map<ObjectPlace, UnderWay, ObjectPlace::Hash> open_;
  int64_t to_come_ = 0;  // of all
  // Of records: how many were written, are being made durable or are, and are, with all before them.
  uint64_t queued_ = 0, cut_ = 0, durable_ = 0;
  struct Sync {
    uint64_t upto = 0;
    bool done = false;
  };
  std::deque<Sync> syncs_;  // as they were begun, from the first one that is not done
  size_t syncing_ = 0;
  bool gathering_ = false;
  bool collecting_ = false;
  std::vector<JournalRecord> collected_;
  uint64_t records_ = 0;
  bool keeping_ = false, abandoned_ = false;
  uint64_t counting_ = 0;            // durable_ when it was abandoned: no other intent counts
  std::vector<JournalRecord> late_;  // outcomes after that
  std::vector<std::pair<JournalRecord, uint64_t>> kept_;  // which of the records it is, as queued_ counts
  bool closed_ = false;
  int failure_ = 0;  // nothing can be recorded any more
  int refused_ = 0;  // there was no room for something to begin
};

// As whole lines.
std::string encode_begin(const JournalBase& base, const JournalPart& part = {});
std::string encode_record(const JournalRecord& r, const TypeSource& types);
std::string record_json(const JournalRecord& r, const TypeSource& types);  // what stands in its line
std::string encode_commit(const JournalCommit& c);

// A journal as found: its base, its commit if there is one, and its records.
struct JournalContent {
  bool empty = true;     // not even its first record was completed
  bool damaged = false;  // something other than the end is not readable, or is missing
  JournalBase base;
  JournalPart part;                    // the last one that there is
  std::vector<JournalCommit> commits;  // each with how many of the records it has
  std::vector<JournalRecord> records;
};
// An error: the text is not a journal at all (or of a form that is not known), or not of this key. No key:
// any.
Result<JournalContent> read_journal(std::shared_ptr<const std::string> text, std::string_view key = {});

// Applies the records to the state they were written for.
struct FoldReport {
  size_t completed = 0;                  // objects that were changed
  std::vector<AbsInstance> tainted;      // of these, the ones that were created, but not to the end
  std::vector<JournalRecord> in_flight;  // intents without a result
  bool written = true;                   // the state has it now; false: it was only read
  std::string problem = {};              // why it could not be written: a sentence
  std::string who = {};                  // began the run, as far as the journal tells
};
FoldReport fold_journal(State& s, const std::vector<JournalRecord>& records);
// What it tells of what was folded, and of what nobody knows.
inline constexpr std::string_view kInterruptedRun = "Interrupted run",
                                  kUnknownOutcome = "Outcome of changes is unknown";
void report_fold(const FoldReport& report, bool damaged, Diagnostics& diags);
void report_tainted(const std::vector<AbsInstance>& tainted, Diagnostics& diags);

}  // namespace xplan
