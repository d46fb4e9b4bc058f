// Ticker: tells every ten seconds what is still at work, and how long each thing took.
//
// Who calls it: progress.cc and json_progress.cc, at the start and end of each operation.
// Contract: `tell` is called from a thread of the ticker, never after stop() of the operation returned nor
// after the ticker is gone.  Cost: one map entry per running operation; the thread starts with the first
// operation and sleeps until something is due.  Thread-safety: start() and stop() from any thread.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/addr/addr.h"
#include "core/plan/hooks.h"

namespace xplan::cmd {

class Ticker {
 public:
  struct Since {
    int64_t seconds;
    std::string waits_for;  // a server that records the change; empty: it is at work
  };
  using Tell = std::function<void(const AbsInstance&, Action, const ObjectId&, const Since&)>;
  // Of several that wait for the same server, how many there are, and since when the first does.
  using TellWaiting = std::function<void(size_t count, const Since&)>;
  // `waiting` empty: of each.
  explicit Ticker(Tell tell, TellWaiting waiting = {})
      : tell_(std::move(tell)), tell_waiting_(std::move(waiting)) {}
  ~Ticker();
  void start(const AbsInstance& a, std::string_view deposed, Action action, const ObjectId& id = {});
  int64_t stop(const AbsInstance& a, std::string_view deposed);  // whole seconds since start()
  void waits(const AbsInstance& a, std::string_view deposed, std::string_view place);
  void each_running(const Tell& f);  // in the order of their starts

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    AbsInstance addr;
    Action action;
    ObjectId id;
    Clock::time_point since, due;
    std::string waits_for = {};
  };
  void run();
  void tell(std::vector<const Running*> some, Clock::time_point now, const Tell& f) const;
  void tell_together(std::vector<const Running*>& due, Clock::time_point now);
  Tell tell_;
  TellWaiting tell_waiting_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::unordered_map<std::string, Running> running_;
  std::thread thread_;
  bool over_ = false;
};

}  // namespace xplan::cmd
