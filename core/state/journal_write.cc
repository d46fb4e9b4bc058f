// Writes a journal: appends records to its medium, which is made durable for all that wait together. See
// journal.h for what is promised when.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/state/journal.h"
#include "core/state/place.h"

namespace xplan {
namespace {

// What is kept free behind the end for each result of what is under way: as much as ordinary ones take.
constexpr int64_t kRoomForResult = 13 * 1024;
constexpr int kTooLarge = -1;  // a failure that no system call has
constexpr uint64_t kNever = UINT64_MAX;
// How long a sync waits for records: as the only one, and beside others.
constexpr std::chrono::microseconds kLongestWait(2000), kLongestShare(50'000);

}  // namespace

Result<std::shared_ptr<JournalWriter>> JournalWriter::begin(std::unique_ptr<JournalMedium> medium,
                                                            std::string name, const JournalBase& base,
                                                            const TypeSource& types) {
  std::shared_ptr<JournalWriter> out(new JournalWriter(std::move(medium), std::move(name), base, types));
  if (auto r = out->append_line(out->begin_); !r.ok()) return r.error();
  return out;
}

JournalWriter::JournalWriter(std::unique_ptr<JournalMedium> medium, std::string name, const JournalBase& base,
                             const TypeSource& types)
    : name_(std::move(name)), begin_(encode_begin(base)), medium_(std::move(medium)), types_(types) {}

JournalWriter::~JournalWriter() {
  close();
}

void JournalWriter::close() {
  std::unique_lock lock(mutex_);
  (void)make_durable(lock, queued_);
  written_.wait(lock, [&] { return !syncing_ && !gathering_; });
  closed_ = true;
  medium_ = nullptr;
}

Result<uint64_t> JournalWriter::enqueue(const JournalRecord& r) {
  return enqueue_line(encode_record(r, types_), &r);
}
Result<void> JournalWriter::append_line(std::string_view line) {
  const Result<uint64_t> number = enqueue_line(line);
  return number ? await(*number, true) : number.error();
}
Result<void> JournalWriter::commit(const JournalCommit& c) {
  return append_line(encode_commit(c));
}

void JournalWriter::collect() {
  std::lock_guard lock(mutex_);
  collecting_ = true;
}

uint64_t JournalWriter::take(std::vector<JournalRecord>& out) {
  std::lock_guard lock(mutex_);
  out = std::exchange(collected_, {});
  return records_;
}

void JournalWriter::keep() {
  std::lock_guard lock(mutex_);
  keeping_ = true;
}

void JournalWriter::hand(const JournalRecord* r, uint64_t number) {
  if (keeping_ && r && r->kind != JournalRecord::Kind::Intent) kept_.emplace_back(*r, number);
}

JournalWriter::Abandoned JournalWriter::abandon(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  written_.wait_for(lock, patience, [&] { return durable_ == queued_ || failure_; });
  abandoned_ = true, counting_ = durable_;
  Abandoned out;
  for (auto& [record, number] : kept_) {
    out.durable += number <= durable_;
    out.kept.push_back(std::move(record));
  }
  return out;
}

JournalWriter::Remaining JournalWriter::remaining() const {
  std::lock_guard lock(mutex_);
  Remaining out{.late = late_};
  for (const auto& [place, under_way] : open_)
    if (!under_way.answered)
      (under_way.number <= counting_ ? out.counting : out.idle).push_back(under_way.intent);
  return out;
}

// What begins a journal can be said again, and says that its run is at work.
Result<void> JournalWriter::settle_doubt() {
  std::shared_ptr<JournalMedium> medium;
  {
    std::lock_guard lock(mutex_);
    if (!(medium = medium_)) return {};
  }
  std::lock_guard one(doubt_);
  const Result<bool> doubt = medium->in_doubt();
  if (!doubt) return doubt.error();
  if (!*doubt) return {};
  const Result<void> ok = append_line(begin_);
  return ok ? medium->look() : ok;
}

std::string_view JournalWriter::lost() const {
  std::lock_guard lock(mutex_);
  return medium_ ? medium_->lost() : std::string_view();
}

bool JournalWriter::failed() const {
  std::lock_guard lock(mutex_);
  return failure_ != 0;
}

// However it ends, and whether or not that can be recorded: what was kept free for it is given back. After a
// tainted object there may be another record, of its provisioners.
void JournalWriter::note_answer(const JournalRecord& r) {
  const std::optional<ObjectPlace> place = place_answered(r);
  const auto it = place ? open_.find(*place) : open_.end();
  if (it == open_.end()) return;
  it->second.answered = true;
  const bool unfinished = r.object && r.object->status == ObjectStatus::Tainted;
  const int left = unfinished ? it->second.to_come - 1 : 0;
  to_come_ += left - std::exchange(it->second.to_come, left);
  if (left <= 0) open_.erase(it);
}

std::vector<JournalRecord> JournalWriter::unanswered() const {
  std::lock_guard lock(mutex_);
  return open_intents();
}

std::vector<JournalRecord> JournalWriter::open_intents() const {
  std::vector<JournalRecord> out;
  for (const auto& [place, under_way] : open_)
    if (!under_way.answered) out.push_back(under_way.intent);
  return out;
}

Error JournalWriter::problem(int code) const {
  if (code == kTooLarge)
    return Error{fmt::format("the journal \"{}\" has reached {} bytes, and no more than {} can be read again",
                             name_, kLargestJournal - medium_->left(), kLargestJournal)};
  return medium_ ? medium_->problem(code) : Error{"the journal \"" + name_ + "\" is closed"};
}

// For what begins with this line, and for the results of all that is under way then.
int JournalWriter::find_room(const JournalRecord& r, size_t line) {
  const int64_t least = static_cast<int64_t>(line) + (to_come_ + r.results) * kRoomForResult;
  return medium_->left() < least ? kTooLarge : medium_->make_room(least);
}

Result<uint64_t> JournalWriter::enqueue_line(std::string_view line, const JournalRecord* record) {
  using Kind = JournalRecord::Kind;
  const bool begins = record && record->begins();
  std::unique_lock lock(mutex_);
  if (record) note_answer(*record);
  if (abandoned_ && record && !begins) late_.push_back(*record);
  written_.wait(lock, [&] { return !abandoned_; });
  if (closed_) return Error{"the journal \"" + name_ + "\" is closed; no more changes can be recorded"};
  if (failure_) {
    if (!begins) hand(record, kNever);
    return problem(failure_);
  }
  // Into the medium at once, so that it outlives this process; made durable together with whatever else was
  // written meanwhile. A lack of room does not set failure_: what is under way can still be recorded; only
  // nothing more may begin.
  if (begins && !refused_) refused_ = find_room(*record, line.size());
  if (begins && refused_) return problem(refused_);
  const ObjectPlace place = record ? ObjectPlace{record->addr, record->deposed} : ObjectPlace();
  const bool intent = record && record->kind == Kind::Intent;
  if (intent) {
    UnderWay begun{*record, queued_ + 1, record->results};  // first: the end of memory leaves no half of it
    UnderWay& it = open_[place];
    to_come_ += record->results - it.to_come;
    it = std::move(begun);
  }
  if ((failure_ = medium_->write(line))) {
    if (intent) open_.erase(place);  // it does not begin
    if (!begins) hand(record, kNever);
    written_.notify_all();
    return problem(failure_);
  }
  if (record) ++records_;
  if (record && collecting_) collected_.push_back(*record);
  hand(record, ++queued_);
  ++waiting_;
  arrived_.notify_one();
  return queued_;
}

// Who is in no hurry lets the next record begin the sync, which is about to come where something depends on
// what this one tells.
Result<void> JournalWriter::await(uint64_t number, bool urgent) {
  std::unique_lock lock(mutex_);
  if (!urgent)
    written_.wait_for(lock, std::min(last_sync_ / 2, kLongestShare),
                      [&] { return durable_ >= number || failure_; });
  const bool durable = make_durable(lock, number);
  if (abandoned_ && number > counting_ &&
      std::any_of(open_.begin(), open_.end(), [&](const auto& o) { return o.second.number == number; }))
    written_.wait(lock, [] { return false; });  // an intent that comes too late
  if (durable) return {};
  std::erase_if(open_, [&](const auto& o) { return o.second.number == number; });  // it does not begin
  return problem(failure_);
}

// One of the waiting threads syncs for all that has been written until then; where the medium can, others
// sync what was written after that.
bool JournalWriter::make_durable(std::unique_lock<std::mutex>& lock, uint64_t mine) {
  while (durable_ < mine && !failure_)
    if (gathering_ || cut_ >= mine || syncing_ >= medium_->concurrent_syncs())
      written_.wait(lock);
    else
      sync_once(lock);
  return durable_ >= mine;
}

// Where several threads record, the others are about to: one sync serves them all if it waits for as many as
// came together lately, at most twice as long as a sync takes. Who is missed makes it expect one less. While
// others sync, the next begins when a part of the time that they take has passed, so that all have their
// share of the records.
void JournalWriter::gather(std::unique_lock<std::mutex>& lock) {
  gathering_ = true;
  const auto share = last_sync_ / static_cast<int64_t>(medium_->concurrent_syncs());
  if (syncing_)
    arrived_.wait_until(lock, last_cut_ + std::min(share, kLongestShare), [] { return false; });
  else
    arrived_.wait_for(lock, std::min(2 * last_sync_, kLongestWait), [&] { return waiting_ >= expected_; });
  gathering_ = false;
}

void JournalWriter::sync_once(std::unique_lock<std::mutex>& lock) {
  gather(lock);
  const uint64_t together = std::exchange(waiting_, 0);
  expected_ = std::max<uint64_t>(together, expected_ - 1);
  Sync& sync = syncs_.emplace_back(Sync{cut_ = queued_});
  const JournalMedium::Cut cut = medium_->cut();
  ++syncing_;
  const auto start = last_cut_ = std::chrono::steady_clock::now();
  lock.unlock();
  const int code = medium_->sync(cut);
  const auto took =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  lock.lock();
  --syncing_;
  last_sync_ = took;
  sync.done = code == 0;
  if (code) failure_ = code;
  for (; !syncs_.empty() && syncs_.front().done; syncs_.pop_front()) durable_ = syncs_.front().upto;
  written_.notify_all();
}

}  // namespace xplan
