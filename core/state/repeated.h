// Repeated: calls a function every so often on a thread of its own, until it is destroyed.
//
// Who calls it: segment_medium.cc, to show that a run is at work; what looks after a lock. Contract: the
// function is not called any more once the destructor has returned, which waits for the call under way; what
// it throws is swallowed: the next call may do better. Where the machine gives no thread, it is never called.
// Cost: a thread. Thread-safety: the function runs beside everything else.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/base/threads.h"

namespace xplan {

class Repeated {
 public:
  Repeated(std::chrono::milliseconds every, std::function<void()> f)
      : f_(std::move(f)), thread_(optional_thread([this, every] { run(every); })) {}
  ~Repeated() {
    {
      std::lock_guard guard(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  bool has_thread() const { return thread_.joinable(); }

 private:
  void run(std::chrono::milliseconds every) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, every, [this] { return over_; })) {
      lock.unlock();
      try {
        f_();
      } catch (...) {
      }
      lock.lock();
    }
  }
  const std::function<void()> f_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace xplan
