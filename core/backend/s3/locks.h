// The locks of a state in S3: an object beside it, an item of a DynamoDB table, or both.
//
// Who calls it: place.cc.
// Contract: that of Place. Both kinds are those of the reference tools: KEY.tflock, which must not exist
// before, and the item "BUCKET/KEY"; each contains the holder as JSON. With both the object is taken first,
// and released where the item is not to be had. Cost: a request for each kind; with an endpoint of its own
// two more to take the object. Thread-safety: still_held() from any thread, while nothing else changes the
// lock.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/backend/s3/client.h"
#include "core/state/place.h"

namespace xplan::backend::s3 {

class S3Locks {
 public:
  S3Locks(std::shared_ptr<S3Client> client, std::string key);
  bool any() const { return object_ || item_; }
  bool all() const { return object_ && item_; }
  std::string kinds() const { return all() ? "object item" : object_ ? "object" : "item"; }
  Result<Place::Locking> try_lock(LockInfo& info);
  Result<void> unlock(Stop stop);
  Result<std::optional<bool>> still_held(Stop stop);
  Result<std::optional<LockInfo>> holder(bool late);
  Result<void> break_lock(const std::string& id);

 private:
  Error not_kept() const;
  Result<Place::Locking> take_object(const std::string& info, const std::string& id);
  Result<Place::Locking> take_item(const std::string& info);
  // The text of who holds it; nothing: nobody.
  Result<std::optional<std::string>> object_holder(net::Ending stop = nullptr);
  Result<std::optional<std::string>> item_holder(net::Ending stop = nullptr);
  // False: nobody holds it. `look`: of the request that comes before what releases it.
  Result<bool> release_object(const std::string& id, net::Ending look, net::Ending stop);
  Result<bool> release_item(const std::string& id, net::Ending look, net::Ending stop);
  Result<void> release(const std::string& id, bool all, net::Ending look, net::Ending stop);

  const std::shared_ptr<S3Client> client_;
  const std::string key_, path_;  // path_: BUCKET/KEY
  const bool object_, item_;
  std::string id_;  // of our lock
};

}  // namespace xplan::backend::s3
