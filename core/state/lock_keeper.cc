// The thread that looks after a lock on a server while changes are made.
#include "core/state/lock_keeper.h"

namespace xplan {

LockKeeper::LockKeeper(Place& place, std::chrono::milliseconds every)
    : place_(place), thread_([this, every] { look(every); }) {}

LockKeeper::~LockKeeper() {
  {
    std::lock_guard guard(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void LockKeeper::look(std::chrono::milliseconds every) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, every, [this] { return over_; })) {
    lock.unlock();
    const Result<std::optional<bool>> held = place_.still_held();
    if (held && *held && !**held) lost_ = true;
    lock.lock();
    if (lost_) return;
  }
}

}  // namespace xplan
