// LockKeeper: looks every few seconds whether a lock on a server is still held, which renews it where it must
// be.
//
// Who calls it: remote_store.cc, from when a journal is begun until the lock is released; of a lock that
// expires, for as long as it is held.
// Contract: asks the place from a thread of its own, not after end() returned; where the machine gives none,
// whoever asks waits for a look when one is due. Once the lock is lost it stays so; that a look fails says
// nothing yet, but to the log.  Cost: one request in `every`.  Thread-safety: any thread may ask.
#pragma once
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "core/state/place.h"
#include "core/state/repeated.h"

namespace xplan {

class LockKeeper {
 public:
  explicit LockKeeper(Place& place, std::chrono::milliseconds every);
  ~LockKeeper() { end(); }
  LockKeeper(const LockKeeper&) = delete;
  LockKeeper& operator=(const LockKeeper&) = delete;
  bool lost();
  void end();  // before the lock is released

 private:
  using Clock = std::chrono::steady_clock;
  void ask();
  Place& place_;
  const std::chrono::milliseconds every_;
  Clock::time_point looked_;
  std::mutex mutex_;
  bool over_ = false;
  std::atomic<bool> ended_{false};  // nobody is interested in what it asks any more
  std::atomic<bool> lost_{false};
  std::optional<Repeated> looking_;  // behind what it uses
  const bool threaded_;
};

}  // namespace xplan
