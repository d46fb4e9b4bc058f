// The lock of a state in Alibaba Cloud's object storage: a row of a TableStore table.
//
// Who calls it: place.cc.
// Contract: that of Place. The lock is that of the reference tools: the row "BUCKET/STATE", which must not
// exist before, and contains the holder as JSON. Without a table there is no lock. Cost: one request to take
// it, two to release it.  Thread-safety: still_held() from any thread, while nothing else changes the lock.
#pragma once
#include <memory>
#include <string>

#include "core/backend/oss/client.h"
#include "core/state/place.h"

namespace xplan::backend::oss {

class OssLock {
 public:
  OssLock(std::shared_ptr<OssClient> client, const std::string& state);
  bool any() const { return !client_->settings().table.empty(); }
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  Result<void> release(const std::string& id, net::Ending look, net::Ending stop);
  Result<std::optional<std::string>> text(net::Ending stop = nullptr);  // of who holds it; nothing: nobody

  const std::shared_ptr<OssClient> client_;
  const std::string name_, row_;  // of the state, as messages have it; BUCKET/STATE
  std::string id_;                // of our lock
};

}  // namespace xplan::backend::oss
