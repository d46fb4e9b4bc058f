// States as objects, their digests in the table, and segments of journals.
#include "core/backend/s3/place.h"

#include <fmt/format.h>

#include "core/backend/digests.h"
#include "core/backend/object_place.h"
#include "core/backend/s3/items.h"
#include "core/backend/s3/locks.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"

namespace xplan::backend::s3 {
namespace {

class S3Place : public ObjectPlace<S3Client> {
 public:
  S3Place(std::shared_ptr<S3Client> client, const std::string& key)
      : ObjectPlace(std::move(client), key, key + ".journal"), locks_(client_, key) {}

  Result<std::optional<Content>> get(Arrival* arrival, bool always) override;
  Result<std::optional<std::string>> version() override;
  Result<bool> is_still(const std::optional<std::string>& version) override;
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  bool locks() const override { return locks_.any(); }
  std::string lock_kinds() const override { return locks_.kinds(); }
  bool has_other_locks() const override { return !locks_.all(); }
  Result<Locking> try_lock(LockInfo& info) override { return locks_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return locks_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return locks_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return locks_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return locks_.break_lock(id); }

  Result<void> put_segment(const std::string& name, std::string_view bytes, const net::Ending& how) override {
    const Result<S3Put> put = client_->put(segment(name), bytes, {}, {}, how);
    return put ? Result<void>() : put.error();
  }
  Result<void> remove_segment(const std::string& name) override { return client_->remove(segment(name)); }
  Result<void> remove_segments(const std::vector<std::string>& names) override {
    std::vector<std::string> keys;
    for (const std::string& name : names) keys.push_back(segment(name));
    return client_->remove_all(keys);
  }

 private:
  Result<std::optional<Content>> read_state(Arrival* arrival, Stop stop);
  Result<Put> write_state(std::string_view bytes, const std::optional<std::string>& version);
  Result<std::string> read(const std::string& name, std::atomic<int64_t>* left) override {
    return bytes_of(client_->get(segment(name), client_->stop(), left), name);
  }
  bool keeps_digest() const { return !client_->settings().table.empty(); }
  std::string item() const { return client_->settings().bucket + "/" + state_ + "-md5"; }

  S3Locks locks_;
  Undigested undigested_;
};

Result<std::optional<Content>> S3Place::read_state(Arrival* arrival, Stop stop) {
  Result<std::optional<S3Object>> there = client_->get(state_, stop, nullptr, arrival);
  if (!there) return there.error();
  if (!*there) return std::optional<Content>();
  return std::optional(Content{std::move((*there)->bytes), std::move((*there)->etag)});
}

Result<std::optional<Content>> S3Place::get(Arrival* arrival, bool always) {
  const Stop stop = stop_unless(always);
  if (!keeps_digest()) return read_state(arrival, stop);
  const auto mismatch = [&](const std::string& found, const std::string& wanted) {
    return Error{
        fmt::format("state data in S3 does not have the expected content: \"{}\" has the checksum \"{}\", "
                    "but the item \"{}\" of the "
                    "DynamoDB table \"{}\" contains \"{}\". Another write may be under way: wait a minute, "
                    "and try again. If that does "
                    "not help, and the state is intact, correct or delete the item",
                    name(), found, item(), client_->settings().table, shown_text(wanted))};
  };
  return read_with_digest(
      stop, [&] { return read_state(arrival, stop); },
      [&] { return get_item(*client_, item(), "Digest", stop); }, mismatch);
}

// Whatever digest it should have.
Result<std::optional<std::string>> S3Place::version() {
  Result<std::optional<Content>> there = read_state(nullptr, client_->stop());
  if (!there) return there.error();
  return *there ? std::optional(std::move((*there)->version)) : std::nullopt;
}

S3Condition condition_of(const std::optional<std::string>& version) {
  using Kind = S3Condition::Kind;
  return version ? S3Condition{Kind::Match, *version} : S3Condition{Kind::Absent, {}};
}

Result<bool> S3Place::is_still(const std::optional<std::string>& version) {
  const Result<std::optional<S3Put>> other = client_->look(state_, condition_of(version), client_->stop());
  return other ? Result<bool>(!*other) : other.error();
}

Result<Place::Put> S3Place::write_state(std::string_view bytes, const std::optional<std::string>& version) {
  Result<S3Put> done = client_->put(state_, bytes, condition_of(version), client_->settings().state_tags);
  if (!done) return done.error();
  return Put{done->conflict, std::move(done->etag)};
}

Result<Place::Put> S3Place::put(std::string_view bytes, const std::optional<std::string>& version) {
  if (!keeps_digest()) return write_state(bytes, version);
  return write_with_digest(
      undigested_, version, [&](const auto& over) { return write_state(bytes, over); },
      [&](const Put&) {
        return put_item(*client_, item(), "Digest", hex_encode(digest(Digest::Md5, bytes)), false);
      });
}

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<S3Client> client, const std::string& key) {
  return std::make_unique<S3Place>(std::move(client), key);
}

Result<void> remove_place(const std::shared_ptr<S3Client>& client, const std::string& key) {
  const std::unique_ptr<Place> place = make_place(client, key);
  if (Result<void> gone = remove_all_segments(*place); !gone) return gone;
  if (Result<void> gone = client->remove(key); !gone) return gone;
  return client->settings().table.empty()
             ? Result<void>()
             : delete_item(*client, client->settings().bucket + "/" + key + "-md5", "Digest");
}

}  // namespace xplan::backend::s3
