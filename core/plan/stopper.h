// Stopper: tells the providers of a run that it is to end, so that they cut short what they are doing.
//
// Who calls it: planner and apply make one for a run; start_provider adds what it starts.
// Contract: when the run's stop flag becomes true, every provider added so far is told once, and every later
// one immediately; the run waits for none of it. Nothing is told when the run ends by itself. Cost: one
// thread that looks every 50 ms; none without a flag. Thread-safety: add() from any thread.
#pragma once
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/provider/provider.h"

namespace xplan {

class Stopper {
 public:
  explicit Stopper(const std::atomic<bool>* stop);
  ~Stopper();
  void add(std::shared_ptr<Provider> p);

 private:
  void watch();
  const std::atomic<bool>* const stop_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::vector<std::shared_ptr<Provider>> waiting_;  // not told yet
  bool done_ = false;
  std::thread thread_;
};

}  // namespace xplan
