// TestTicker: reports every two seconds which test runs are still running.
//
// Who calls it: test_json.cc, when a run or its clean-up begins and ends.
// Contract: `tell` is called from a thread of the ticker, with no lock of it held; it may come once more for
// a run that is just ending. Nothing is told once the ticker is gone. Cost: a thread that sleeps.
// Thread-safety: any thread.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "core/config/test_suite.h"

namespace xplan::cmd {

class TestTicker {
 public:
  struct Running {
    const config::TestFile* file;
    bool cleaning;
    std::chrono::steady_clock::time_point since, due;
  };
  using Tell = std::function<void(const Running&, const config::TestRunBlock&, int64_t milliseconds)>;
  explicit TestTicker(Tell tell) : tell_(std::move(tell)) {}
  ~TestTicker();
  void start(const config::TestFile& f, const config::TestRunBlock& r, bool cleaning);
  void stop(const config::TestRunBlock& r);

 private:
  void run();
  const Tell tell_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::map<const config::TestRunBlock*, Running> running_;
  std::thread thread_;
  bool over_ = false;
};

}  // namespace xplan::cmd
