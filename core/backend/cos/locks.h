// The lock of a state in Tencent Cloud's object storage: an object beside it, and a tag while somebody looks
// at that object or makes it.
//
// Who calls it: place.cc.
// Contract: that of Place. The lock is that of the reference tools: STATE.tflock, which contains the holder
// as JSON; the MD5 sum of that is the lock's ID, whatever ID stands in it. The service does not compare
// before it writes, but it makes a tag only once. A tag that a dead run has left is released as a lock whose
// ID is the tag's value. Cost: four requests to take it, two to release it. Thread-safety: still_held() from
// any thread, while nothing else changes the lock.
#pragma once
#include <memory>
#include <string>

#include "core/backend/cos/client.h"
#include "core/state/place.h"

namespace xplan::backend::cos {

class CosLock {
 public:
  CosLock(std::shared_ptr<CosClient> client, std::string state);
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<std::optional<LockInfo>> find_holder();  // a tag alone, too
  Result<void> break_lock(const std::string& id);

 private:
  Result<std::optional<LockInfo>> look(net::Ending stop);
  Result<Place::Locking> take(LockInfo& info);
  Result<Place::Locking> take_with_tag(LockInfo& info);
  Result<Place::Locking> take_with_doubt(LockInfo& info);
  Place::Locking held_by(LockInfo holder) const;
  Result<void> release(const std::string& id, net::Ending look, net::Ending stop);
  LockInfo tag_info() const;
  Error tag_stays(const Error& why) const;
  Error undone(const Error& why, const std::string& id);

  const std::shared_ptr<CosClient> client_;
  const std::string state_, name_, tag_;
  std::string id_;  // of our lock
};

}  // namespace xplan::backend::cos
