// LockKeeper: looks every few seconds whether a lock on a server is still held, which renews it where it must
// be.
//
// Who calls it: remote_store.cc, while a journal is open.
// Contract: asks the place from a thread of its own, not after its destructor returned. Once the lock is lost
// it stays so; that a look fails says nothing yet.  Cost: one request in `every`.  Thread-safety: any thread
// may ask.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/state/place.h"

namespace xplan {

class LockKeeper {
 public:
  explicit LockKeeper(Place& place, std::chrono::milliseconds every = std::chrono::seconds(5));
  ~LockKeeper();
  LockKeeper(const LockKeeper&) = delete;
  LockKeeper& operator=(const LockKeeper&) = delete;
  bool lost() const { return lost_; }

 private:
  void look(std::chrono::milliseconds every);
  Place& place_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::atomic<bool> lost_{false};
  std::thread thread_;
};

}  // namespace xplan
