// The state store above a place on a server: lock with back-off, compare-and-swap, journal in segments or in
// a file of this machine. Implements remote_store.h.
#include "core/state/remote_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/base/leftovers.h"
#include "core/base/log.h"
#include "core/cloud/time.h"
#include "core/state/journaled_store.h"
#include "core/state/lock.h"
#include "core/state/lock_holder.h"
#include "core/state/lock_keeper.h"
#include "core/state/moment.h"
#include "core/state/repeated.h"

namespace xplan {
namespace {

using Clock = std::chrono::steady_clock;

// Decides when a snapshot is due, and keeps two from being taken at the same time.
class Snapshots {
 public:
  Snapshots(const Place& place, std::chrono::milliseconds wanted, Stop stop, std::function<void()> take)
      : place_(place), wanted_(wanted), stop_(stop), take_(std::move(take)) {}
  void changed() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;  // the one under way, or the next
    const Clock::time_point now = Clock::now();
    if (!last_) last_ = now;
    const auto every = place_.snapshots(wanted_);
    if (!every || (now - *last_ < *every && !stopped(stop_))) return;
    take_();
    last_ = Clock::now();
  }

 private:
  const Place& place_;
  const std::chrono::milliseconds wanted_;
  const Stop stop_;
  const std::function<void()> take_;
  std::mutex mutex_;
  std::optional<Clock::time_point> last_;
};

// Nothing begins any more once the lock is lost; what has begun is recorded all the same.
class KeptJournal : public QueueingJournal {
 public:
  KeptJournal(std::unique_ptr<Journal> journal, std::shared_ptr<LockKeeper> keeper,
              std::unique_ptr<Snapshots> snapshots, std::string place)
      : journal_(std::move(journal)),
        keeper_(std::move(keeper)),
        snapshots_(std::move(snapshots)),
        place_(std::move(place)) {}
  std::string place() const override { return place_; }
  Result<void> append(const JournalRecord& r) override {
    const Result<void> ok = QueueingJournal::append(r);
    if (ok && snapshots_ && place_answered(r)) snapshots_->changed();
    return ok;
  }
  Result<uint64_t> enqueue(const JournalRecord& r) override {
    if (r.begins())
      if (Result<void> ok = may_begin(); !ok) return ok.error();
    return journal_->enqueue(r);
  }
  // Nothing is held up by whoever is in no hurry.
  Result<void> await(uint64_t number, bool urgent) override {
    const Result<void> ok = journal_->await(number, urgent);
    if (ok && !urgent && snapshots_) snapshots_->changed();
    return ok;
  }
  Result<void> may_begin() const override {
    if (!keeper_ || !keeper_->lost()) return journal_->may_begin();
    return Error{
        "the lock of the state was lost while changes were being made, so another run may have begun to "
        "change the same objects"};
  }
  std::string_view lost() const override {
    return keeper_ && keeper_->lost() ? "State lock lost" : journal_->lost();
  }
  std::vector<JournalRecord> unanswered() const override { return journal_->unanswered(); }

 private:
  const std::unique_ptr<Journal> journal_;
  const std::shared_ptr<LockKeeper> keeper_;    // null: there is no lock to look after
  const std::unique_ptr<Snapshots> snapshots_;  // null: the journal is on the server
  const std::string place_;
};

// Whichever place this run writes to, a run before may have been told to write to the other one. Who may not
// even look at the server's keeps to this machine's.
std::unique_ptr<JournalHome> journals_of(const std::shared_ptr<Place>& place, const RemoteOptions& o,
                                         std::function<Result<bool>()> is_still) {
  std::unique_ptr<JournalHome> here = journal_in_file(o.local_journal, o.codec);
  if (!place->keeps_segments()) return here;
  std::unique_ptr<JournalHome> there =
      journal_in_segments(place, o.codec, o.remote_journal ? Unseen::Error : Unseen::Nothing,
                          {o.beats, o.doubt, std::move(is_still)});
  return o.remote_journal ? journal_in_either(std::move(there), std::move(here))
                          : journal_in_either(std::move(here), std::move(there));
}

class RemoteStore : public JournaledStore {
 public:
  RemoteStore(std::unique_ptr<Place> place, const RemoteOptions& o)
      : JournaledStore(o.codec, {.successor = o.successor,
                                 .forced = o.forced,
                                 .goes_on = o.goes_on,
                                 .finishes = o.finishes,
                                 .rescued = o.rescued}),
        place_(std::move(place)),
        options_(o),
        local_(!o.remote_journal || !place_->keeps_segments()),
        journals_(journals_of(place_, o, [this] { return may_be_same(); })) {}
  ~RemoteStore() override {
    if (const Result<void> ok = unlock(); !ok) log_line(LogLevel::Error, "core", ok.error().message);
  }

  Result<void> lock(const std::string& operation, int64_t timeout_ms, const std::atomic<bool>* stop) override;
  Result<void> unlock() override;
  bool locked_elsewhere() const override { return locked_elsewhere_; }
  std::string lock_that_stays() const override {
    return held_ && !place_->lock_ends_with_run() ? id_ : std::string();
  }
  Result<std::optional<LockInfo>> holder() override;
  Result<void> break_lock(const std::string& id) override;
  bool breaks_locks() const override { return place_->locks(); }
  std::string path() const override { return place_->name(); }
  bool stale() const override { return stale_; }
  std::string kept() const override { return kept_; }
  std::string journal_of(const LockInfo* holder) const override;
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;

 protected:
  JournalHome& journals() override { return *journals_; }
  const JournalHome& journals() const override { return *journals_; }
  Result<std::string> get(Arrival* arrival) override;
  bool replaces_unread() override;
  Result<void> put(const std::string& text) override;
  Result<void> back_up(const std::string& former) override;
  bool takes_snapshots() const override { return local_; }
  bool records_leave() const override { return !local_; }
  bool lock_held() const override { return held_; }
  bool holds_off_all() const override { return !place_->has_other_locks(); }
  bool holds_off(const JournalPart& other) const override {
    return other.locks.empty() || share_word(other.locks, place_->lock_kinds());
  }
  bool only_looks() const override { return !asked_; }
  bool reads_concurrently() const override { return place_->reads_concurrently(); }
  Error unusable(const std::string& why, Unusable how) const override;
  Result<void> put_rescue(const std::string& path, std::string_view text) const override {
    return write_private(path, text);
  }

 private:
  Result<Place::Locking> try_lock(LockInfo& info);
  Error cut_off(const Error& why) const;
  Result<void> still_ours();
  Result<bool> may_be_same();
  void take_snapshot(const TypeSource& types);
  std::string elsewhere_note() const override;
  std::string own_journal() const;  // on this machine
  Error not_locked(const Place::Locking& tried, bool interrupted) const;
  Error not_released(const Error& why) const;
  Result<void> release();

  const std::shared_ptr<Place> place_;  // with the journal's writer
  const RemoteOptions options_;
  const bool local_;  // the journal
  const std::unique_ptr<JournalHome> journals_;
  std::optional<std::string> version_;  // of what was read or written last
  std::set<std::string> sent_;          // digests of what may have been written after that
  bool held_ = false;                   // the lock, by us
  bool changes_ = false;                // this run has written something, or begun a journal
  bool asked_ = false;                  // for the lock, whether or not the place has any
  std::string id_;                      // of that lock, to release it by
  Moment locked_;                       // when it was taken
  bool stale_ = false;
  bool locked_elsewhere_ = false;
  std::string kept_;  // the copy of what was replaced
  // Of a lock that expires, while it is held; of another one, since a journal was started.
  std::shared_ptr<LockKeeper> keeper_;
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
  if (!tried.holder && !tried.advice.empty()) return Error{message + ". " + tried.advice};
  const std::string wait =
      std::string("ait until it has finished") + (interrupted ? "" : ", or use -lock-timeout to wait for it");
  if (!tried.holder) return Error{message + ". W" + wait};
  const std::string holder = lock_holder_text(*tried.holder, cloud::unix_now());
  message += fmt::format(".\n{}\n{}{}", lock_info_text(*tried.holder), holder, holder.empty() ? "" : ". ");
  const std::optional<bool> runs = lock_holder_runs(*tried.holder);
  if (runs.value_or(false)) return Error{message + "It may be changing the state: w" + wait};
  const std::string release = fmt::format("elease the lock with:\n  {} force-unlock {}\n\n", program_name(),
                                          lock_id_word(tried.holder->id));
  std::string then = journal_of(&*tried.holder);
  if (const std::string note = elsewhere_note(); !note.empty())
    then = note + (then.empty() ? "" : ". ") + then;
  if (runs)
    return Error{message + "That run ended without releasing the lock. R" + release +
                 (then.empty() ? "Then run the command again" : then)};
  return Error{message +
               "Another run may be changing the state. If that run ended without releasing the lock, r" +
               release + then + (then.empty() ? "" : ".\n\n") + "Otherwise, w" + wait};
}

std::string RemoteStore::elsewhere_note() const {
  if (!options_.elsewhere) return {};
  const std::string& workspace = options_.workspace;
  return fmt::format(
      "The backend of this directory is being changed, so that must be run in another directory, with the "
      "backend block of \"{}\"{}, after {} there",
      path(),
      workspace.empty()
          ? ""
          : fmt::format(" and the environment variable TF_WORKSPACE set to \"{}\"", shown_foreign(workspace)),
      own_command("init"));
}

std::string RemoteStore::own_journal() const {
  return std::filesystem::absolute(options_.local_journal).string();
}

std::string RemoteStore::journal_of(const LockInfo* holder) const {
  if (holder && !holder->id.empty()) return journal_advice(*holder, own_journal());
  return local_ ? journal_advice() : std::string();
}

// Of a try that ended because the run is to stop: a lock that ends by itself need not be told of.
Error RemoteStore::cut_off(const Error& why) const {
  if (!why.message.ends_with(kInterrupted)) return why;
  if (place_->lock_expires() || place_->lock_ends_with_run()) return interrupted();
  return Error{"the server has not said whether it has locked the state \"" + path() +
               "\". If it has, the next run tells how the lock is released"};
}

// The server may have taken the lock although no answer came: then it says that it is ours, and whoever asks
// for it once more gets it.
Result<Place::Locking> RemoteStore::try_lock(LockInfo& info) {
  const bool late = stopped(options_.stop);
  Result<Place::Locking> tried = place_->try_lock(info);
  if (!tried && stopped(options_.stop)) return late ? tried.error() : cut_off(tried.error());
  if (tried || !place_->tells_holder()) return tried;
  const Result<std::optional<LockInfo>> there = place_->holder();
  const bool ours = there && *there && (*there)->created == info.created && (*there)->who == info.who;
  return ours ? place_->try_lock(info) : tried;
}

// Tries after 0, 1, 3, 7, 15 and then every 16 seconds, and at the end of the time.
Result<void> RemoteStore::lock(const std::string& operation, int64_t timeout_ms,
                               const std::atomic<bool>* stop) {
  if (held_) return {};
  asked_ = true;
  for (int64_t waited = 0, pause = 1000; place_->locks(); pause = std::min<int64_t>(pause * 2, 16000)) {
    LockInfo info = new_lock_info(operation, path());
    info.info = process_note();
    if (local_) info.info += (info.info.empty() ? "" : "; ") + journal_note(own_journal(), info.who);
    const Result<Place::Locking> tried = try_lock(info);
    if (!tried) return tried.error();
    locked_elsewhere_ = tried->held;
    if (!tried->held) {
      held_ = true, id_ = info.id, locked_ = Moment();
      if (place_->lock_expires()) keeper_ = std::make_shared<LockKeeper>(*place_, options_.looks);
      break;
    }
    const int64_t step = std::min(pause, timeout_ms - waited);
    if (step <= 0) return not_locked(*tried, false);
    if (!wait(step, stop)) return not_locked(*tried, true);
    waited += step;
  }
  remove_leftovers(options_.local_journal, Look::Once);
  return {};
}

// A journal that is still open, nothing of which begins any more, has the keeper too.
Result<void> RemoteStore::unlock() {
  if (const auto keeper = std::exchange(keeper_, nullptr)) keeper->end();
  if (!std::exchange(held_, false)) return {};
  lock_ended();
  const Result<void> done = release();
  return done ? done : not_released(done.error());
}

// A run that has changed nothing and is to stop does not wait for a silent server for long.
Result<void> RemoteStore::release() {
  if (changes_ || !options_.stop) return place_->unlock();
  std::atomic<bool> over = false;
  std::optional<Clock::time_point> told;
  const Repeated watch(options_.release / 100, [&] {
    if (!stopped(options_.stop)) return;
    const Clock::time_point now = Clock::now();
    if (!told) told = now;
    over = now - *told >= options_.release;
  });
  return place_->unlock(&over);
}

// Whether it is there still, as far as the server tells.
Error RemoteStore::not_released(const Error& why) const {
  const Result<std::optional<LockInfo>> there = place_->holder(!why.message.ends_with(kInterrupted));
  const bool known = there && *there;
  if (place_->tells_holder() && there && (!known || (*there)->id != id_)) return why;
  const std::string state = fmt::format("{}. The state {} locked, with the lock ID {}", why.message,
                                        known ? "stays" : "may stay", id_);
  if (place_->lock_ends_with_run()) return Error{state + ", until this run has ended"};
  const std::string command = fmt::format(
      "elease the lock with:\n  {} force-unlock {}\n\nUntil then, no run "
      "can change the state",
      program_name(), shell_word(id_));
  if (place_->lock_expires())
    return Error{state + ", for about a minute after this run has ended. If it is locked later, too, r" +
                 command};
  return Error{state + ". Before anything else, r" + command};
}

Result<std::optional<LockInfo>> RemoteStore::holder() {
  if (!place_->locks()) return Error{"the state \"" + path() + "\" has no locks"};
  return place_->find_holder();
}

Result<void> RemoteStore::break_lock(const std::string& id) {
  if (!place_->locks())
    return Error{"the state \"" + path() + "\" has no locks, so there is nothing to unlock"};
  return place_->break_lock(id);
}

Result<std::string> RemoteStore::get(Arrival* arrival) {
  Result<std::optional<Content>> found = place_->get(arrival);
  if (!found) return found.error();
  version_.reset();
  sent_.clear();
  if (!*found) return std::string();
  if (const std::optional<Error> page = web_page(*place_, **found)) return *page;
  version_ = std::move((*found)->version);
  return std::move((*found)->bytes);
}

bool RemoteStore::replaces_unread() {
  Result<std::optional<std::string>> there = place_->version();
  if (!there || !*there) return false;
  version_ = std::move(*there);
  sent_.clear();
  return true;
}

// What is in the way may be of this run: written by a put() that failed for want of an answer.
Result<void> RemoteStore::put(const std::string& text) {
  changes_ = true;
  Result<Place::Put> done = place_->put(text, version_);
  if (done && done->conflict && !sent_.empty()) {
    Result<std::optional<Content>> there = place_->get(nullptr, true);
    if (!there) return there.error();
    if (*there && sent_.contains(digest(Digest::Sha256, (*there)->bytes)))
      done = place_->put(text, (*there)->version);
  }
  if (!done) {
    sent_.insert(digest(Digest::Sha256, text));
    return done.error();
  }
  if (done->conflict) return conflict(done->why);
  version_ = std::move(done->version);
  sent_.clear();
  return {};
}

// What somebody else may need again, as no server has to keep it. Several can be replaced in one second, even
// at the same time.
Result<void> RemoteStore::back_up(const std::string& former) {
  if (!options_.keeps_copy) return {};
  for (std::time_t now = std::time(nullptr);; ++now) {
    const std::string copy = fmt::format("terraform.tfstate.{}.backup", now);
    const Result<bool> written = real_fs().exists(copy) ? Result<bool>(false) : write_new(copy, former, 0600);
    if (!written) return written.error();
    if (!*written) continue;
    kept_ = copy;
    return {};
  }
}

Error RemoteStore::unusable(const std::string& why, Unusable how) const {
  std::string message = "the state \"" + path() + "\" cannot be used: " + why;
  if (how != Unusable::Known) message += ". If it is damaged, replace it with an intact version";
  if (how == Unusable::Damaged) message += kKeepAdvice;
  return Error{message};
}

// An interrupt ends a look that says nothing then; nothing begins any more in any case.
Result<bool> RemoteStore::may_be_same() {
  Result<bool> still = place_->is_still(version_);
  const bool cut_off = !still && stopped(options_.stop) && still.error().message.ends_with(kInterrupted);
  return cut_off ? Result<bool>(true) : still;
}

// A plan may have waited for approval for hours, in which somebody else has broken the lock. Where there is
// none, or runs may have another kind of lock, anybody may have changed the state since it was read; where
// nothing tells of the lock, so does a look at the state.
Result<void> RemoteStore::still_ours() {
  stale_ = false;
  if (held_ && holds_off_all() && locked_.ago() < options_.looks) return {};
  std::optional<bool> same;
  if (keeper_) {
    same = !keeper_->lost();
  } else if (held_) {
    const Result<std::optional<bool>> held = place_->still_held();
    same = held ? *held : true;  // a look that fails says nothing
  }
  stale_ = same && !*same;
  if (stale_)
    return Error{"this run no longer holds the lock of the state \"" + path() +
                 "\", so another run may have changed it since it was planned. Create a new plan"};
  if (same && holds_off_all()) return {};
  const Result<bool> still = place_->is_still(version_);
  if (!still) return still.error();
  if (*still) return {};
  stale_ = true;
  return Error{"the state \"" + path() +
               "\" was changed by something else since it was planned. Create a new plan"};
}

// One that fails is tried again, and the state is written at the end in any case.
void RemoteStore::take_snapshot(const TypeSource& types) {
  if (const Result<void> ok = write_snapshot(types); !ok)
    log_line(LogLevel::Warn, "core",
             "the state cannot be written while changes are made: " + ok.error().message);
}

Result<std::unique_ptr<Journal>> RemoteStore::start_journal(const TypeSource& types) {
  if (Result<void> ok = still_ours(); !ok) return ok.error();
  changes_ = true;
  Result<std::unique_ptr<Journal>> journal = JournaledStore::start_journal(types);
  if (!journal && !local_ && is_forbidden(journal.error()))
    return Error{journal.error().message + ". " + journal_here_advice()};
  if (!journal) return journal;
  if (held_ && !keeper_) keeper_ = std::make_shared<LockKeeper>(*place_, options_.looks);
  auto snapshots = local_ ? std::make_unique<Snapshots>(*place_, options_.snapshots, options_.stop,
                                                        [this, &types] { take_snapshot(types); })
                          : nullptr;
  return std::unique_ptr<Journal>(std::make_unique<KeptJournal>(std::move(*journal), keeper_,
                                                                std::move(snapshots), local_ ? "" : path()));
}

}  // namespace

std::unique_ptr<StateStore> open_remote_store(std::unique_ptr<Place> place, const RemoteOptions& options) {
  return std::make_unique<RemoteStore>(std::move(place), options);
}

}  // namespace xplan
