// The lock of a state in Google Cloud Storage: an object beside it.
//
// Who calls it: place.cc.
// Contract: that of Place. The lock is that of the reference tools: WORKSPACE.tflock, which must not exist
// before, contains the holder as JSON, and its generation is the lock's ID, whatever ID stands in it. Cost: a
// request to take it, and another one where somebody else has it; two to release it. Thread-safety:
// still_held() from any thread, while nothing else changes the lock.
#pragma once
#include <memory>
#include <string>

#include "core/backend/gcs/client.h"
#include "core/state/place.h"

namespace xplan::backend::gcs {

class GcsLock {
 public:
  // `state`: the name of the state's object without ".tfstate".
  GcsLock(std::shared_ptr<GcsClient> client, const std::string& state)
      : client_(std::move(client)), name_(state + ".tflock"), state_(state + ".tfstate") {}
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  Result<std::optional<LockInfo>> look(net::Ending stop);
  Result<void> release(const std::string& generation, net::Ending look, net::Ending stop);
  std::string shown() const { return client_->shown(name_); }

  const std::shared_ptr<GcsClient> client_;
  const std::string name_, state_;
  std::string generation_;  // of our lock
};

}  // namespace xplan::backend::gcs
