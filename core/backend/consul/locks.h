// The lock of a state in Consul: a key beside it that a session holds, and another one that says who that is.
//
// Who calls it: place.cc, which has one.
// Contract: keys, flags and what is in them are those of the reference tools, so either holds off the other.
// The ID of a lock is that of its session, which ends when nobody has renewed it for 15 seconds; five more
// pass until the key can be taken again. still_held() renews it, and answers false, too, when that has failed
// for so long that the server may have ended it. Cost: four requests to take it, five to release it, two to
// look. Thread-safety: still_held() may run beside each of the others; they are one thread's.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "core/backend/consul/client.h"
#include "core/state/place.h"

namespace xplan::backend::consul {

class ConsulLock {
 public:
  ConsulLock(std::shared_ptr<ConsulClient> client, const std::string& key);
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  using Clock = std::chrono::steady_clock;
  Result<Place::Locking> taken_by_other();
  Result<LockInfo> info_of(const std::string& session, net::Ending stop);
  Result<void> release(const std::string& session, net::Ending stop = nullptr);

  const std::shared_ptr<ConsulClient> client_;
  const std::string path_, lock_, info_;  // keys
  std::string session() const;
  void set_session(std::string id);

  mutable std::mutex mutex_;
  std::string session_;  // guarded by it
  std::atomic<Clock::time_point> renewed_{};
};

}  // namespace xplan::backend::consul
