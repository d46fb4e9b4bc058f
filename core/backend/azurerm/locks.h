// The lock of a state in Azure: a lease of its blob, with the holder in the blob's metadata.
//
// Who calls it: place.cc.
// Contract: that of Place. The lock is that of the reference tools: the id of the lock is that of the lease,
// and the metadata "terraformlockid" has the holder as JSON in base64. A blob that does not exist is made,
// empty, to be locked. Cost: three requests to take it, three to release it.  Thread-safety: still_held()
// from any thread, while nothing else changes the lock.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/backend/azurerm/client.h"
#include "core/state/place.h"

namespace xplan::backend::azurerm {

class AzurermLock {
 public:
  AzurermLock(std::shared_ptr<AzurermClient> client, std::string key)
      : client_(std::move(client)), key_(std::move(key)) {}
  const std::string& lease() const { return lease_; }  // empty: the lock is not ours
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  Result<void> sign(const LockInfo& info);
  Result<void> release(const std::string& id, net::Ending look, net::Ending stop);
  Place::Locking held_by(const AzurermBlob& blob) const;

  const std::shared_ptr<AzurermClient> client_;
  std::string path() const { return client_->settings().container + "/" + key_; }

  const std::string key_;
  std::string lease_;
};

}  // namespace xplan::backend::azurerm
