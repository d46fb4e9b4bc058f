// Taking, looking at and releasing locks.
#include "core/backend/s3/locks.h"

#include <fmt/format.h>

#include <vector>

#include "core/backend/lock_info.h"
#include "core/backend/release.h"
#include "core/backend/s3/items.h"
#include "core/base/shown_text.h"

namespace xplan::backend::s3 {
namespace {

constexpr int kVanished = 3;  // how often a holder may be gone before it can be named

}  // namespace

S3Locks::S3Locks(std::shared_ptr<S3Client> client, std::string key)
    : client_(std::move(client)),
      key_(std::move(key)),
      path_(client_->settings().bucket + "/" + key_),
      object_(client_->settings().lockfile),
      item_(!client_->settings().table.empty()) {}

Result<Place::Locking> S3Locks::try_lock(LockInfo& info) {
  info.path = path_;
  if (stopped(client_->stop())) return interrupted();
  const std::string text = info.json();
  if (object_) {
    Result<Place::Locking> taken = take_object(text, info.id);
    if (!taken || taken->held) return taken;
  }
  if (item_) {
    Result<Place::Locking> taken = take_item(text);
    if (!taken || taken->held) {
      const Result<bool> released =
          object_ ? release_object(info.id, client_->late(), client_->late()) : Result<bool>(true);
      if (!released) return may_remain(taken ? released.error() : taken.error(), info.id);
      return taken;
    }
  }
  id_ = info.id;
  return Place::Locking{};
}

Error S3Locks::not_kept() const {
  return Error{fmt::format(
      "the server did not keep the lock of the state \"{}\": it answered that the object \"{}\" was "
      "written, and then that it does not exist. Check that nothing deletes objects of this bucket, "
      "and that the server supports lock files (use_lockfile)",
      client_->shown(key_), client_->shown(key_ + ".tflock"))};
}

Result<Place::Locking> S3Locks::take_object(const std::string& info, const std::string& id) {
  const std::string lock = key_ + ".tflock";
  const net::Ending late = client_->late();
  for (int n = 0;; ++n) {
    Result<S3Put> put =
        client_->put(lock, info, {S3Condition::Kind::Absent, {}}, client_->settings().lock_tags, late);
    if (!put) return put.error();
    const bool trusted = client_->settings().s3_endpoint.empty();
    if (!put->conflict && trusted) return Place::Locking{};
    // Who holds it; or, where the server may not have compared, whether somebody took it at the same time.
    Result<std::optional<std::string>> there = object_holder(late);
    if (!there && !put->conflict)
      return client_->remove(lock, put->etag, nullptr, late) ? there.error() : may_remain(there.error(), id);
    if (!there) return there.error();
    if (!put->conflict && *there && **there == info) return Place::Locking{};
    if (!put->conflict && !*there && n == kVanished) {
      Error lost = not_kept();
      return client_->remove(lock, put->etag, nullptr, late) ? lost : may_remain(lost, id);
    }
    if (*there || n == kVanished)
      return held_by(there->value_or(""),
                     fmt::format("The state \"{}\" is locked: the object \"{}\" exists", client_->shown(key_),
                                 client_->shown(lock)),
                     fmt::format("the object \"{}\"", client_->shown(lock)));
  }
}

Result<Place::Locking> S3Locks::take_item(const std::string& info) {
  for (int n = 0;; ++n) {
    Result<S3Client::TableAnswer> a = put_item(*client_, path_, "Info", info, true, client_->late());
    if (!a) return a.error();
    if (a->refused.empty()) return Place::Locking{};
    if (a->refused != "ConditionalCheckFailedException") return Error{a->text};
    Result<std::optional<std::string>> there = item_holder(client_->late());
    if (!there) return there.error();
    if (*there && **there == info) return Place::Locking{};  // an attempt whose answer was lost
    if (*there || n == kVanished)
      return held_by(
          there->value_or(""),
          fmt::format("The state \"{}\" is locked: the DynamoDB table \"{}\" contains the item \"{}\"",
                      client_->shown(key_), client_->settings().table, path_),
          fmt::format("the item \"{}\" of the table", path_));
  }
}

Result<std::optional<std::string>> S3Locks::object_holder(net::Ending stop) {
  Result<std::optional<S3Object>> there = client_->get(key_ + ".tflock", stop);
  if (!there) return there.error();
  return *there ? std::optional(std::move((*there)->bytes)) : std::nullopt;
}

Result<std::optional<std::string>> S3Locks::item_holder(net::Ending stop) {
  return get_item(*client_, path_, "Info", stop);
}

Result<bool> S3Locks::release_object(const std::string& id, net::Ending look, net::Ending stop) {
  const std::string lock = key_ + ".tflock", shown = client_->shown(lock);
  const Result<std::optional<S3Object>> there = client_->get(lock, look);
  if (!there) return there.error();
  if (!*there) return false;
  const LockInfo holder = lock_info_in((*there)->bytes);
  if (holder.id != id)
    return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" in \"{}\"",
                             shown_text(id), shown_foreign(holder.id), shown)};
  const Result<void> gone =
      release_own([&](bool& unsure) { return client_->remove(lock, (*there)->etag, &unsure, stop); },
                  [&]() -> Result<bool> {
                    const Result<std::optional<std::string>> now = object_holder(stop);
                    if (!now) return now.error();
                    return *now && lock_info_in(**now).id == id;
                  },
                  stop.stop);
  return gone ? Result<bool>(true) : gone.error();
}

Result<bool> S3Locks::release_item(const std::string& id, net::Ending look, net::Ending stop) {
  Result<std::optional<std::string>> there = item_holder(look);
  if (!there) return there.error();
  if (!*there) return false;
  const LockInfo holder = lock_info_in(**there);
  if (holder.id != id)
    return Error{
        fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" in the DynamoDB table \"{}\"",
                    shown_text(id), shown_foreign(holder.id), client_->settings().table)};
  const Result<void> gone = delete_item(*client_, path_, "Info", **there, stop);
  return gone ? Result<bool>(true) : gone.error();
}

// Both are tried, whatever becomes of the first. `all`: both must be there; else one is enough, as a run may
// have ended between taking the one and the other.
Result<void> S3Locks::release(const std::string& id, bool all, net::Ending look, net::Ending stop) {
  std::vector<std::string> problems, missing;
  bool released = false;
  auto note = [&](const Result<bool>& done, std::string absent) {
    if (!done)
      problems.push_back(done.error().message);
    else if (*done)
      released = true;
    else
      missing.push_back("the lock is gone: " + std::move(absent));
  };
  if (object_)
    note(release_object(id, look, stop),
         fmt::format("the object \"{}\" does not exist", client_->shown(key_ + ".tflock")));
  if (item_)
    note(release_item(id, look, stop),
         fmt::format("the DynamoDB table \"{}\" does not contain the item \"{}\"", client_->settings().table,
                     path_));
  if (all || !released) problems.insert(problems.end(), missing.begin(), missing.end());
  if (problems.empty()) return {};
  return Error{fmt::format("{}", fmt::join(problems, "; "))};
}

Result<void> S3Locks::unlock(Stop stop) {
  return release(std::exchange(id_, {}), true, stop, stop);
}

Result<void> S3Locks::break_lock(const std::string& id) {
  return release(id, false, client_->stop(), nullptr);
}

Result<std::optional<bool>> S3Locks::still_held(Stop stop) {
  auto ours = [&](const std::optional<std::string>& text) { return text && lock_info_in(*text).id == id_; };
  if (object_) {
    Result<std::optional<std::string>> there = object_holder(stop);
    if (!there) return there.error();
    if (!ours(*there)) return std::optional(false);
  }
  if (item_) {
    Result<std::optional<std::string>> there = item_holder(stop);
    if (!there) return there.error();
    if (!ours(*there)) return std::optional(false);
  }
  return any() ? std::optional(true) : std::nullopt;
}

Result<std::optional<LockInfo>> S3Locks::holder(bool late) {
  const net::Ending stop = late ? client_->late() : client_->stop();
  for (const bool object : {true, false}) {
    if (object ? !object_ : !item_) continue;
    Result<std::optional<std::string>> there = object ? object_holder(stop) : item_holder(stop);
    if (!there) return there.error();
    if (*there) return std::optional(lock_info_in(**there));
  }
  return std::optional<LockInfo>();
}

}  // namespace xplan::backend::s3
