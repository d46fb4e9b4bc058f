// Sleeps until a run has been at work for another two seconds.
#include "cmd/xplan/test_ticker.h"

#include <algorithm>

#include "core/base/threads.h"

namespace xplan::cmd {
namespace {

constexpr std::chrono::seconds kTestTick{2};

}  // namespace

TestTicker::~TestTicker() {
  {
    const std::lock_guard guard(lock_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TestTicker::start(const config::TestFile& f, const config::TestRunBlock& r, bool cleaning) {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard guard(lock_);
  running_[&r] = {&f, cleaning, now, now + kTestTick};
  if (!thread_.joinable()) thread_ = optional_thread([this] { run(); });
  wake_.notify_all();
}

void TestTicker::stop(const config::TestRunBlock& r) {
  const std::lock_guard guard(lock_);
  running_.erase(&r);
}

void TestTicker::run() {
  std::unique_lock guard(lock_);
  while (!over_) {
    const auto next = std::min_element(running_.begin(), running_.end(), [](const auto& a, const auto& b) {
      return a.second.due < b.second.due;
    });
    const auto now = std::chrono::steady_clock::now();
    if (next == running_.end()) {
      wake_.wait(guard);
    } else if (next->second.due > now) {
      const auto due = next->second.due;  // it is looked at again when the run may be gone
      wake_.wait_until(guard, due);
    } else {
      next->second.due += kTestTick;
      const auto [run, what] = *next;
      guard.unlock();
      tell_(what, *run, std::chrono::duration_cast<std::chrono::milliseconds>(now - what.since).count());
      guard.lock();
    }
  }
}

}  // namespace xplan::cmd
