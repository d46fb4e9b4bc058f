// The thread that watches the stop flag and calls stop() on each started provider, all concurrently.
#include "core/plan/stopper.h"

#include <chrono>

#include "core/base/threads.h"

namespace xplan {

Stopper::Stopper(const std::atomic<bool>* stop) : stop_(stop) {
  if (stop_) thread_ = optional_thread([this] { watch(); });
}

Stopper::~Stopper() {
  {
    std::lock_guard guard(lock_);
    done_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Stopper::add(std::shared_ptr<Provider> p) {
  std::lock_guard guard(lock_);
  waiting_.push_back(std::move(p));
}

// The flag is set by a signal handler, which cannot wake anybody.
void Stopper::watch() {
  std::unique_lock guard(lock_);
  while (!done_) {
    wake_.wait_for(guard, std::chrono::milliseconds(50));
    if (!*stop_ || waiting_.empty()) continue;
    std::vector<std::shared_ptr<Provider>> told = std::move(waiting_);
    waiting_.clear();
    guard.unlock();
    // One that does not answer shall not keep the others from hearing it.
    run_concurrently(told.size(), [&](size_t i) { told[i]->stop(); });
    told.clear();
    guard.lock();
  }
}

}  // namespace xplan
