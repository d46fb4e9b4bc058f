// The journal file of an apply: writing it, and folding what a dead process left into the state.
//
// Who calls it: local_store.cc; tests.
// Form: one line for each record, "LENGTH CHECKSUM JSON" with LENGTH (of the JSON) and CHECKSUM (CRC-32 of
// it) as eight hexadecimal digits each. The first record names the state (lineage and serial) the others are
// to be applied to; the last, "commit", names the state they went into. Contract: append() returns when the
// record is on the disk. A line that was not completed is left out when folding, whatever its length; lines
// behind a damaged place still count, since each of them says what a provider answered. Records only ever
// apply to the state they were written for: another lineage or serial is an error. Cost: one write and one
// fdatasync for all threads that wait at the same time; folding is linear in the file. Thread-safety:
// JournalFile::append from any thread, the rest from one. Why lines of JSON: in an emergency people read
// them, and sizes do not matter beside an fsync.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/state/store.h"

namespace xplan {

struct JournalBase {
  std::string lineage;
  uint64_t serial = 0;
};
struct JournalCommit {
  std::string lineage;
  uint64_t serial = 0;
  uint64_t digest = 0;  // of the whole text
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

class JournalFile : public Journal {
 public:
  static Result<std::shared_ptr<JournalFile>> create(const std::string& path, const JournalBase& base,
                                                     const TypeSource& types);
  ~JournalFile() override;
  Result<void> append(const JournalRecord& r) override;
  Result<void> commit(const JournalCommit& c);  // the state is about to be written
  void close();                                 // no more records
  bool failed() const;                          // some record is not in it
  std::vector<JournalRecord> unanswered() const override;
  // For a journal that was left over: says on it what it is folded into.
  static Result<void> append_commit(const std::string& path, const JournalCommit& c);

 private:
  JournalFile(std::string path, int fd, const TypeSource& types)
      : path_(std::move(path)), fd_(fd), types_(types) {}
  Result<void> append_line(std::string_view line, const JournalRecord* record = nullptr);
  void note_answer(const JournalRecord& r);
  Error problem(int code) const;
  bool make_room(int64_t length, int results);
  std::string path_;
  uint64_t waiting_ = 0;                    // threads that asked for a sync since the last one began
  uint64_t expected_ = 1;                   // how many records come together
  std::chrono::microseconds last_sync_{0};  // how long it took
  std::condition_variable arrived_;
  int fd_;
  const TypeSource& types_;
  mutable std::mutex mutex_;
  std::condition_variable written_;
  int64_t size_ = 0, room_ = 0;  // of the file; up to where the disk has room for it
  struct UnderWay {
    JournalRecord intent;
    int to_come = 0;  // records
    bool answered = false;
  };
  std::unordered_map<ObjectPlace, UnderWay, ObjectPlace::Hash> open_;
  int64_t to_come_ = 0;  // of all
  uint64_t queued_ = 0, durable_ = 0;
  bool writing_ = false, closed_ = false;
  // What the system said, as texts are made where there may be memory for them.
  int failure_ = 0;  // nothing can be recorded any more
  int refused_ = 0;  // there was no room for something to begin
};

// A journal as found: its base, its commit if there is one, and its records.
struct JournalContent {
  bool empty = true;     // not even its first record was completed
  bool damaged = false;  // something other than the end is not readable
  JournalBase base;
  std::optional<JournalCommit> committed;
  std::vector<JournalRecord> records;
};
// An error: the text is not a journal at all (or of a form that is not known).
Result<JournalContent> read_journal(std::shared_ptr<const std::string> text);

// Applies the records to the state they were written for.
struct FoldReport {
  size_t completed = 0;                  // objects that were changed
  std::vector<AbsInstance> tainted;      // of these, the ones that were created, but not to the end
  std::vector<JournalRecord> in_flight;  // intents without a result
};
FoldReport fold_journal(State& s, const std::vector<JournalRecord>& records);
inline constexpr std::string_view kInterruptedRun = "Interrupted run";  // what it tells of what was folded
void report_fold(const FoldReport& report, bool damaged, Diagnostics& diags);

}  // namespace xplan
