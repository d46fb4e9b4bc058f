#include "core/plan/stopper.h"

#include <chrono>

namespace xplan {

Stopper::Stopper(const std::atomic<bool>* stop) : stop_(stop) {
  if (stop_) thread_ = std::thread([this] { watch(); });
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
    std::vector<std::thread> calls;  // one that does not answer shall not keep the others from hearing it
    for (const auto& p : told) calls.emplace_back([&p] { p->stop(); });
    for (std::thread& t : calls) t.join();
    told.clear();
    guard.lock();
  }
}

}  // namespace xplan
