// States as objects, and segments of journals beside them.
#include "core/backend/cos/place.h"

#include "core/backend/bucket_place.h"
#include "core/backend/cos/locks.h"

namespace xplan::backend::cos {
namespace {

class CosPlace : public BucketPlace<CosClient> {
 public:
  CosPlace(std::shared_ptr<CosClient> client, const std::string& state)
      : BucketPlace(std::move(client), state, state + ".journal"), lock_(client_, state) {}

  // That of what was written, whatever is there of it.
  Result<std::optional<std::string>> version() override { return client_->told_md5(state_); }

  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<std::optional<LockInfo>> find_holder() override { return lock_.find_holder(); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }

 private:
  CosLock lock_;
};

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<CosClient> client, const std::string& state) {
  return std::make_unique<CosPlace>(std::move(client), state);
}

Result<void> remove_place(const std::shared_ptr<CosClient>& client, const std::string& state) {
  const std::unique_ptr<Place> place = make_place(client, state);
  if (Result<void> gone = remove_all_segments(*place); !gone) return gone;
  return client->remove(state);
}

}  // namespace xplan::backend::cos
