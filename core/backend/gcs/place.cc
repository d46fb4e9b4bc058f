// States as objects, and segments of journals beside them.
#include "core/backend/gcs/place.h"

#include "core/backend/gcs/locks.h"
#include "core/backend/object_place.h"

namespace xplan::backend::gcs {
namespace {

class GcsPlace : public ObjectPlace<GcsClient> {
 public:
  GcsPlace(std::shared_ptr<GcsClient> client, const std::string& state)
      : ObjectPlace(std::move(client), state + ".tfstate", state + ".tfstate.journal"),
        lock_(client_, state) {}

  Result<std::optional<Content>> get(Arrival* arrival, bool always) override {
    Result<std::optional<GcsObject>> there =
        client_->get(state_, GcsKey::Ours, stop_unless(always), nullptr, arrival);
    if (!there) return there.error();
    if (!*there) return std::optional<Content>();
    return std::optional(Content{std::move((*there)->bytes), std::move((*there)->generation)});
  }
  Result<std::optional<std::string>> version() override { return client_->generation(state_); }
  Result<bool> exists() override {
    return client_->size(state_, client_->stop()) > 0 ? Result<bool>(true) : Place::exists();
  }
  Result<bool> is_still(const std::optional<std::string>& version) override {
    const Result<std::optional<std::string>> now = client_->generation(state_);
    return now ? Result<bool>(*now == version) : now.error();
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override {
    Result<GcsPut> done = client_->put(state_, bytes, GcsKey::Ours, version.value_or(kAbsent));
    if (!done) return done.error();
    return Put{done->conflict, std::move(done->generation)};
  }

  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }

  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    const Result<GcsPut> put = client_->put(segment(name), bytes, GcsKey::Ours, {}, how);
    return put ? Result<void>() : put.error();
  }
  Result<void> remove_segment(const std::string& name) override {
    const Result<GcsRemoved> gone = client_->remove(segment(name));
    return gone ? Result<void>() : gone.error();
  }

 private:
  Result<std::string> read(const std::string& name, std::atomic<int64_t>* left) override {
    return bytes_of(client_->get(segment(name), GcsKey::Ours, client_->stop(), left), name);
  }

  GcsLock lock_;
};

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<GcsClient> client, const std::string& state) {
  return std::make_unique<GcsPlace>(std::move(client), state);
}

Result<void> remove_place(const std::shared_ptr<GcsClient>& client, const std::string& state) {
  const std::unique_ptr<Place> place = make_place(client, state);
  if (Result<void> gone = remove_all_segments(*place); !gone) return gone;
  const Result<GcsRemoved> gone = client->remove(state + ".tfstate");
  return gone ? Result<void>() : gone.error();
}

}  // namespace xplan::backend::gcs
