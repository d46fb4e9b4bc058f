// States as blobs, and segments of journals.
#include "core/backend/azurerm/place.h"

#include <fmt/format.h>

#include "core/backend/azurerm/locks.h"
#include "core/backend/object_place.h"
#include "core/base/base64.h"
#include "core/base/digest.h"

namespace xplan::backend::azurerm {
namespace {

constexpr int kPuts = 3;  // while others lock and unlock

std::string sum_of(std::string_view bytes) {
  return hex_encode(digest(Digest::Sha256, bytes));
}

std::string version_of(const AzurermBlob& blob) {
  return blob.etag + "\n" + sum_of(blob.bytes);
}

class AzurermPlace : public ObjectPlace<AzurermClient> {
 public:
  AzurermPlace(std::shared_ptr<AzurermClient> client, const std::string& key)
      : ObjectPlace(std::move(client), key, key + ".journal"), lock_(client_, key) {}

  Result<std::optional<Content>> get(Arrival* arrival, bool always) override;
  Result<bool> exists() override {  // what has no bytes was made by a lock
    const Result<std::optional<AzurermBlob>> there = client_->look(state_, client_->stop());
    return there && *there && (*there)->size > 0 ? Result<bool>(true) : Place::exists();
  }
  Result<bool> is_still(const std::optional<std::string>& version) override {
    if (!version) return Place::is_still(version);
    const Result<std::optional<AzurermBlob>> there = same(version);
    return there ? Result<bool>(there->has_value()) : there.error();
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }

  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override;
  Result<void> remove_segment(const std::string& name) override { return client_->remove(segment(name)); }

 private:
  Result<std::string> read(const std::string& name, std::atomic<int64_t>* left) override {
    return bytes_of(client_->get(segment(name), client_->stop(), left), name);
  }
  Result<std::optional<AzurermBlob>> same(const std::optional<std::string>& version);

  AzurermLock lock_;
};

Result<std::optional<Content>> AzurermPlace::get(Arrival* arrival, bool always) {
  Result<std::optional<AzurermBlob>> there = client_->get(state_, stop_unless(always), nullptr, arrival);
  if (!there) return there.error();
  if (!*there) return std::optional<Content>();
  std::string version = version_of(**there);
  return std::optional(Content{std::move((*there)->bytes), std::move(version)});
}

// The blob, if its content is that of the version, which another ETag says nothing about; nothing: it is
// another one. No version is an empty blob as well, which a lock makes.
Result<std::optional<AzurermBlob>> AzurermPlace::same(const std::optional<std::string>& version) {
  Result<std::optional<AzurermBlob>> there = client_->look(state_);
  if (!there || !*there || (version && version->starts_with((*there)->etag + "\n"))) return there;
  there = client_->get(state_);
  if (!there || !*there) return there;
  const std::string wanted = version ? version->substr(version->find('\n') + 1) : sum_of("");
  if (sum_of((*there)->bytes) != wanted) return std::optional<AzurermBlob>();
  return there;
}

Result<Place::Put> AzurermPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  using When = AzurermWrite::When;
  AzurermWrite how{.when = When::Absent, .lease = lock_.lease()};
  for (int n = 1;; ++n) {
    // What is there has metadata to keep.
    if (version || n > 1) {
      Result<std::optional<AzurermBlob>> there = same(version);
      if (!there) return there.error();
      if (!*there) return Put{true, {}};
      how.when = When::Match, how.etag = (*there)->etag, how.metadata = std::move((*there)->metadata);
    }
    if (client_->settings().snapshot && how.when == When::Match)
      if (const Result<void> taken = client_->snapshot(state_, how.lease); !taken) return taken.error();
    const Result<AzurermPut> done = client_->put(state_, bytes, how);
    if (!done) return done.error();
    if (!done->conflict) return Put{false, done->etag + "\n" + sum_of(bytes)};
    if (n == kPuts) return Put{true, {}};
  }
}

Result<void> AzurermPlace::put_segment(const std::string& name, std::string_view bytes,
                                       const net::Ending& how) {
  const Result<AzurermPut> put =
      client_->put(segment(name), bytes, {.type = "application/octet-stream"}, how);
  return put ? Result<void>() : put.error();
}

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<AzurermClient> client, const std::string& key) {
  return std::make_unique<AzurermPlace>(std::move(client), key);
}

Result<std::function<Result<void>()>> remove_locked_place(const std::shared_ptr<AzurermClient>& client,
                                                          const std::string& key) {
  const std::unique_ptr<Place> place = make_place(client, key);
  if (Result<void> gone = remove_all_segments(*place); !gone) return gone.error();
  const Result<std::optional<AzurermBlob>> there = client->get(key);
  if (!there) return there.error();
  const std::string sum = sum_of(*there ? std::string_view((*there)->bytes) : "");
  return std::function([client, key, sum]() -> Result<void> {
    const Result<std::optional<AzurermBlob>> now = client->get(key);  // of another ETag since it was unlocked
    if (!now) return now.error();
    if (!*now) return {};
    if (sum_of((*now)->bytes) == sum) return client->remove(key, (*now)->etag);
    return Error{fmt::format("another run has changed the state \"{}\" in the meantime", client->shown(key))};
  });
}

Result<void> remove_place(const std::shared_ptr<AzurermClient>& client, const std::string& key) {
  const std::unique_ptr<Place> place = make_place(client, key);
  if (Result<void> gone = remove_all_segments(*place); !gone) return gone;
  return client->remove(key);
}

}  // namespace xplan::backend::azurerm
