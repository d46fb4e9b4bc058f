// Tells of operations when their records are durable: a list in the order of the records, and a thread that
// waits for the last of them.
#include "core/apply/announcements.h"

#include <utility>

#include "core/base/threads.h"

namespace xplan::applying {

bool Announcements::has_thread() {
  std::lock_guard lock(mutex_);
  if (!thread_.joinable()) over_ = false, thread_ = optional_thread([this] { run(); });
  return thread_.joinable();
}

// Memory is taken before the journal has the record: nothing may fail between that and its place in the list.
Result<void> Announcements::after(const JournalRecord& r, Tell tell) {
  const bool threaded = has_thread();
  std::list<One> one;
  one.push_back({0, std::move(tell)});
  const Result<uint64_t> number = journal_->enqueue(r);
  if (!number || *number == 0) {
    in_turn(std::move(one.front().tell));
    return number ? Result<void>() : number.error();
  }
  one.front().number = *number;
  {
    std::lock_guard lock(mutex_);
    auto at = pending_.end();
    while (at != pending_.begin() && std::prev(at)->number > *number) --at;
    pending_.splice(at, one);
    wake_.notify_one();
  }
  if (threaded) return {};
  const Result<void> ok = journal_->await(*number, true);
  tell_until(*number);
  return ok;
}

void Announcements::in_turn(Tell tell) {
  if (!tell) return;
  std::lock_guard telling(telling_);
  {
    std::lock_guard lock(mutex_);
    if (!pending_.empty()) {
      pending_.push_back({pending_.back().number, std::move(tell)});
      return;
    }
  }
  tell();
}

void Announcements::tell_until(uint64_t number) {
  std::lock_guard telling(telling_);
  for (std::list<One> one;; one.clear()) {
    {
      std::lock_guard lock(mutex_);
      if (pending_.empty() || pending_.front().number > number) return;
      one.splice(one.begin(), pending_, pending_.begin());
    }
    if (one.front().tell) one.front().tell();
  }
}

Result<void> Announcements::await(uint64_t number, bool urgent) {
  try {
    return journal_->await(number, urgent);
  } catch (const std::exception& e) {
    return Error{e.what()};
  }
}

void Announcements::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return over_ || !pending_.empty(); });
    if (pending_.empty()) return;
    const uint64_t number = pending_.back().number;
    const bool urgent = over_;
    lock.unlock();
    try {
      if (const Result<void> ok = await(number, urgent); !ok) failed_(ok.error());
      tell_until(number);
    } catch (...) {  // a line that nobody sees
    }
    lock.lock();
  }
}

void Announcements::finish() {
  std::unique_lock lock(mutex_);
  if (!thread_.joinable()) return;
  over_ = true;
  const uint64_t last = pending_.empty() ? 0 : pending_.back().number;
  wake_.notify_one();
  lock.unlock();
  if (last) (void)await(last, true);
  thread_.join();
}

}  // namespace xplan::applying
