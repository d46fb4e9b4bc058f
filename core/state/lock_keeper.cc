// The thread that looks after a lock on a server while changes are made.
#include "core/state/lock_keeper.h"

#include "core/base/log.h"

namespace xplan {

LockKeeper::LockKeeper(Place& place, std::chrono::milliseconds every)
    : place_(place),
      every_(every),
      looked_(Clock::now()),
      looking_(std::in_place, every,
               [this] {
                 if (!lost_) ask();
               }),
      threaded_(looking_->has_thread()) {}

void LockKeeper::end() {
  ended_ = true;
  {
    std::lock_guard guard(mutex_);
    over_ = true;
  }
  looking_.reset();
}

bool LockKeeper::lost() {
  if (threaded_ || lost_) return lost_;
  std::lock_guard guard(mutex_);
  if (!over_ && Clock::now() - looked_ >= every_) ask();
  return lost_;
}

void LockKeeper::ask() {
  const Result<std::optional<bool>> held = place_.still_held(&ended_);
  if (held && *held && !**held) lost_ = true;
  if (!held)
    log_line(LogLevel::Warn, "core",
             "whether the lock of the state is still held cannot be told: " + held.error().message);
  looked_ = Clock::now();
}

}  // namespace xplan
