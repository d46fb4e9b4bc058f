// The thread that looks after a lock on a server while changes are made.
#include "core/state/lock_keeper.h"

#include "core/base/threads.h"

namespace xplan {

LockKeeper::LockKeeper(Place& place, std::chrono::milliseconds every)
    : place_(place),
      every_(every),
      looked_(Clock::now()),
      thread_(optional_thread([this] { look(); })),
      threaded_(thread_.joinable()) {}

void LockKeeper::end() {
  {
    std::lock_guard guard(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool LockKeeper::lost() {
  if (threaded_ || lost_) return lost_;
  std::lock_guard guard(mutex_);
  if (!over_ && Clock::now() - looked_ >= every_) ask();
  return lost_;
}

void LockKeeper::ask() {
  const Result<std::optional<bool>> held = place_.still_held();
  if (held && *held && !**held) lost_ = true;
  looked_ = Clock::now();
}

void LockKeeper::look() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, every_, [this] { return over_; })) {
    lock.unlock();
    ask();
    lock.lock();
    if (lost_) return;
  }
}

}  // namespace xplan
