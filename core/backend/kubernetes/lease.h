// The lock of a state in a cluster: a lease whose holder is the ID of the lock.
//
// Who calls it: place.cc, which has one.
// Contract: names, labels and the annotation with who holds it are those of the reference tools, so either
// holds off the other. A lease is created, or replaced in the version that was read, so one run gets it. It
// does not end by itself. Cost: two requests to take or release it, one to look.  Thread-safety: still_held()
// may run beside each of the others; they are one thread's.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "core/backend/kubernetes/client.h"
#include "core/state/place.h"

namespace xplan::backend::kubernetes {

class KubeLease {
 public:
  // `labels`: of a new one.
  KubeLease(std::shared_ptr<KubeClient> client, const std::string& secret, Labels labels);
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);
  Result<void> remove();  // unless somebody holds it; fine if it is not there

 private:
  Result<void> release(const std::string& id, net::Ending look, net::Ending stop);
  Place::Locking taken_by_other(const Json& lease) const;
  std::string id() const;
  void set_id(std::string id);

  const std::shared_ptr<KubeClient> client_;
  const std::string name_, path_;
  const Labels labels_;
  mutable std::mutex mutex_;
  std::string id_;  // guarded by it
};

}  // namespace xplan::backend::kubernetes
