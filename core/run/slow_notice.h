// SlowNotice: says something about a wait that takes longer than half a second.
//
// Who calls it: open_state.cc, around the lock of a state.
// Contract: `tell` is called at most once, from a thread of its own, and not after end() returned.
// Cost: one thread that sleeps.  Thread-safety: one thread makes and ends it.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace xplan::run {

class SlowNotice {
 public:
  explicit SlowNotice(std::function<void()> tell);
  ~SlowNotice() { end(); }
  SlowNotice(const SlowNotice&) = delete;
  SlowNotice& operator=(const SlowNotice&) = delete;
  void end();

 private:
  std::mutex lock_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace xplan::run
