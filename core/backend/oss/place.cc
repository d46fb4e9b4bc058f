// States as objects, and their digests in the table.
#include "core/backend/oss/place.h"

#include <fmt/format.h>

#include "core/backend/bucket_place.h"
#include "core/backend/digests.h"
#include "core/backend/oss/locks.h"
#include "core/backend/oss/rows.h"
#include "core/base/shown_text.h"

namespace xplan::backend::oss {
namespace {

// Other tools take whatever stands below the prefix for workspaces, so a journal stands beside it.
std::string journal_of(const std::string& prefix, const std::string& state) {
  if (prefix.empty() || !state.starts_with(prefix + "/")) return state + ".journal";
  return prefix + ".journal" + state.substr(prefix.size());
}

class OssPlace : public BucketPlace<OssClient> {
 public:
  OssPlace(const std::shared_ptr<OssClient>& client, const std::string& state)
      : BucketPlace(client, state, journal_of(client->settings().prefix, state)), lock_(client, state) {}

  Result<std::optional<Content>> get(Arrival* arrival, bool always) override;
  Result<std::optional<std::string>> version() override;
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  bool locks() const override { return lock_.any(); }
  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }

  Result<void> forget_digest() {
    return lock_.any() ? delete_row(*client_, row(), "Digest") : Result<void>();
  }

 private:
  std::string row() const { return client_->settings().bucket + "/" + state_ + "-md5"; }

  OssLock lock_;
  Undigested undigested_;
};

Result<std::optional<Content>> OssPlace::get(Arrival* arrival, bool always) {
  if (!lock_.any()) return BucketPlace::get(arrival, always);
  const auto mismatch = [&](const std::string& found, const std::string& wanted) {
    return Error{fmt::format(
        "state data in OSS does not have the expected content: \"{}\" has the checksum \"{}\", but the row "
        "\"{}\" of the TableStore table \"{}\" contains \"{}\". Another write may be under way: wait a "
        "minute, and try again. If that does not help, and the state is intact, correct or delete the row",
        name(), found, row(), client_->settings().table, shown_text(wanted))};
  };
  const Stop stop = stop_unless(always);
  return read_with_digest(
      stop, [&] { return BucketPlace::get(arrival, always); },
      [&] { return get_row(*client_, row(), "Digest", stop); }, mismatch);
}

// Whatever digest it should have.
Result<std::optional<std::string>> OssPlace::version() {
  Result<std::optional<Content>> there = BucketPlace::get(nullptr, false);
  if (!there) return there.error();
  return *there ? std::optional(std::move((*there)->version)) : std::nullopt;
}

Result<Place::Put> OssPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  if (!lock_.any()) return BucketPlace::put(bytes, version);
  return write_with_digest(
      undigested_, version, [&](const auto& over) { return BucketPlace::put(bytes, over); },
      [&](const Put& done) { return put_row(*client_, row(), "Digest", done.version, false); });
}

}  // namespace

std::unique_ptr<Place> make_place(const std::shared_ptr<OssClient>& client, const std::string& state) {
  return std::make_unique<OssPlace>(client, state);
}

Result<void> remove_place(const std::shared_ptr<OssClient>& client, const std::string& state) {
  OssPlace place(client, state);
  if (Result<void> gone = remove_all_segments(place); !gone) return gone;
  if (Result<void> gone = client->remove(state); !gone) return gone;
  return place.forget_digest();
}

}  // namespace xplan::backend::oss
