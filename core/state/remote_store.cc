// The state store above a place on a server: lock with back-off, compare-and-swap, journal in segments or in
// a file of this machine. Implements remote_store.h.
#include "core/state/remote_store.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/state/journaled_store.h"
#include "core/state/lock.h"
#include "core/state/lock_keeper.h"

namespace xplan {
namespace {

using Clock = std::chrono::steady_clock;

// Decides when a snapshot is due, and keeps two from being taken at once.
class Snapshots {
 public:
  Snapshots(std::chrono::milliseconds every, Stop stop, std::function<void()> take)
      : every_(every), stop_(stop), take_(std::move(take)) {}
  void changed() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;  // the one under way, or the next
    const Clock::time_point now = Clock::now();
    if (!last_) last_ = now;
    if (now - *last_ < every_ && !stopped(stop_)) return;
    take_();
    last_ = Clock::now();
  }

 private:
  const std::chrono::milliseconds every_;
  const Stop stop_;
  const std::function<void()> take_;
  std::mutex mutex_;
  std::optional<Clock::time_point> last_;
};

// Nothing begins any more once the lock is lost; what has begun is recorded all the same.
class KeptJournal : public Journal {
 public:
  KeptJournal(std::unique_ptr<Journal> journal, std::unique_ptr<LockKeeper> keeper,
              std::unique_ptr<Snapshots> snapshots)
      : journal_(std::move(journal)), keeper_(std::move(keeper)), snapshots_(std::move(snapshots)) {}
  Result<void> append(const JournalRecord& r) override {
    const bool begins = r.kind == JournalRecord::Kind::Intent || r.kind == JournalRecord::Kind::Depose;
    if (begins && keeper_ && keeper_->lost())
      return Error{
          "the lock of the state was lost while changes were being made, so another run may have begun to "
          "change the same objects"};
    const Result<void> ok = journal_->append(r);
    if (ok && snapshots_ && place_answered(r)) snapshots_->changed();
    return ok;
  }
  std::vector<JournalRecord> unanswered() const override { return journal_->unanswered(); }

 private:
  const std::unique_ptr<Journal> journal_;
  const std::unique_ptr<LockKeeper> keeper_;    // null: there is no lock to look after
  const std::unique_ptr<Snapshots> snapshots_;  // null: the journal is on the server
};

class RemoteStore : public JournaledStore {
 public:
  RemoteStore(std::unique_ptr<Place> place, const RemoteOptions& o)
      : place_(std::move(place)),
        options_(o),
        local_(!o.remote_journal || !place_->keeps_segments()),
        journals_(local_ ? journal_in_file(o.local_journal) : journal_in_segments(*place_)) {}
  ~RemoteStore() override { (void)unlock(); }

  Result<void> lock(const std::string& operation, int64_t timeout_ms, const std::atomic<bool>* stop) override;
  Result<void> unlock() override;
  bool locked_elsewhere() const override { return locked_elsewhere_; }
  Result<void> break_lock(const std::string& id) override;
  std::string path() const override { return place_->name(); }
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;

 protected:
  JournalHome& journals() override { return *journals_; }
  const JournalHome& journals() const override { return *journals_; }
  Result<std::string> get() override;
  Result<void> put(const std::string& text) override;
  bool takes_snapshots() const override { return local_; }
  bool lock_held() const override { return held_ || (locked_ && !place_->locks()); }
  Error unusable(const std::string& why) const override;
  Result<void> put_rescue(const std::string& path, std::string_view text) const override {
    return write_atomic(path, text);
  }

 private:
  Error not_locked(const Place::Locking& tried, bool interrupted) const;

  const std::unique_ptr<Place> place_;
  const RemoteOptions options_;
  const bool local_;  // the journal
  const std::unique_ptr<JournalHome> journals_;
  std::optional<std::string> version_;  // of what was read or written last
  bool held_ = false;                   // the lock, by us
  bool locked_ = false;                 // lock() succeeded, whether or not the place has locks
  bool locked_elsewhere_ = false;
};

// True after waiting, false as soon as the run is to stop.
bool wait(int64_t ms, Stop stop) {
  for (; ms > 0 && !stopped(stop); ms -= 50)
    ::usleep(static_cast<useconds_t>(std::min<int64_t>(ms, 50) * 1000));
  return !stopped(stop);
}

Error RemoteStore::not_locked(const Place::Locking& tried, bool interrupted) const {
  std::string message =
      tried.reason.empty() ? "The state \"" + path() + "\" is locked by another run" : tried.reason;
  if (interrupted) message += ", and waiting for the lock was interrupted";
  if (!tried.holder)
    return Error{message + ". Wait until that run has finished, or use -lock-timeout to wait for it"};
  return Error{
      message + ".\n" + lock_info_text(*tried.holder) +
      "\nAnother run may be changing the state. Wait until it has finished, or use -lock-timeout to wait "
      "for it. If it ended without releasing the lock, release it with " +
      own_command("force-unlock " + tried.holder->id)};
}

// Tries after 0, 1, 3, 7, 15 and then every 16 seconds, and at the end of the time.
Result<void> RemoteStore::lock(const std::string& operation, int64_t timeout_ms,
                               const std::atomic<bool>* stop) {
  if (held_) return {};
  for (int64_t waited = 0, pause = 1000; place_->locks(); pause = std::min<int64_t>(pause * 2, 16000)) {
    LockInfo info = new_lock_info(operation, path());
    const Result<Place::Locking> tried = place_->try_lock(info);
    if (!tried) return tried.error();
    locked_elsewhere_ = tried->held;
    if (!tried->held) {
      held_ = true;
      break;
    }
    const int64_t step = std::min(pause, timeout_ms - waited);
    if (step <= 0) return not_locked(*tried, false);
    if (!wait(step, stop)) return not_locked(*tried, true);
    waited += step;
  }
  locked_ = true;
  return {};
}

Result<void> RemoteStore::unlock() {
  locked_ = false;
  return std::exchange(held_, false) ? place_->unlock() : Result<void>();
}

Result<void> RemoteStore::break_lock(const std::string& id) {
  if (!place_->locks())
    return Error{"the state \"" + path() + "\" has no locks, so there is nothing to unlock"};
  return place_->break_lock(id);
}

Result<std::string> RemoteStore::get() {
  Result<std::optional<Content>> found = place_->get();
  if (!found) return found.error();
  version_.reset();
  if (!*found) return std::string();
  version_ = std::move((*found)->version);
  return std::move((*found)->bytes);
}

Result<void> RemoteStore::put(const std::string& text) {
  Result<Place::Put> done = place_->put(text, version_);
  if (!done) return done.error();
  if (done->conflict)
    return Error{"something else has changed the state \"" + path() +
                 "\" since it was read, and its changes would be "
                 "lost"};
  version_ = std::move(done->version);
  return {};
}

Error RemoteStore::unusable(const std::string& why) const {
  return Error{
      "the state \"" + path() + "\" cannot be used: " + why +
      ". If it is damaged, replace it with an intact version; do not delete it, because the objects it lists "
      "would no longer be tracked"};
}

Result<std::unique_ptr<Journal>> RemoteStore::start_journal(const TypeSource& types) {
  Result<std::unique_ptr<Journal>> journal = JournaledStore::start_journal(types);
  if (!journal) return journal;
  auto keeper = held_ ? std::make_unique<LockKeeper>(*place_) : nullptr;
  // One that fails is tried again, and the state is written at the end in any case.
  auto snapshots = local_ ? std::make_unique<Snapshots>(options_.snapshots, options_.stop,
                                                        [this, &types] { (void)write_snapshot(types); })
                          : nullptr;
  return std::unique_ptr<Journal>(
      std::make_unique<KeptJournal>(std::move(*journal), std::move(keeper), std::move(snapshots)));
}

}  // namespace

std::unique_ptr<StateStore> open_remote_store(std::unique_ptr<Place> place, const RemoteOptions& options) {
  return std::make_unique<RemoteStore>(std::move(place), options);
}

}  // namespace xplan
