// The thread of a SlowNotice: sleeps until the wait is over, or tells after half a second.
#include "core/run/slow_notice.h"

#include <chrono>
#include <utility>

#include "core/base/threads.h"

namespace xplan::run {

SlowNotice::SlowNotice(std::function<void()> tell)
    : thread_(optional_thread([this, tell = std::move(tell)] {
        std::unique_lock lock(lock_);
        if (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return over_; })) tell();
      })) {}

void SlowNotice::end() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(lock_);
    over_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

}  // namespace xplan::run
