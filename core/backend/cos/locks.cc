// Taking, looking at and releasing the lock.
#include "core/backend/cos/locks.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "core/backend/lock_info.h"
#include "core/backend/release.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"

namespace xplan::backend::cos {
namespace {

constexpr int kTagTries = 10;  // others have the tag for the time of two requests
constexpr int kLostTries = 5;  // that nobody answers
constexpr std::chrono::milliseconds kTagPause(200);

std::string md5_hex(std::string_view bytes) {
  return hex_encode(digest(Digest::Md5, bytes));
}

}  // namespace

CosLock::CosLock(std::shared_ptr<CosClient> client, std::string state)
    : client_(std::move(client)),
      state_(std::move(state)),
      name_(state_ + ".tflock"),
      tag_(md5_hex(client_->settings().bucket + ":" + name_)) {}

Result<Place::Locking> CosLock::try_lock(LockInfo& info) {
  bool unsure = false;
  for (int n = 0; n < kTagTries; ++n) {
    if (stopped(client_->stop())) return interrupted();
    const Result<TagChange> tagged = client_->add_tag(tag_, client_->late());
    if (!tagged) return tagged.error();
    if (*tagged == TagChange::Done) return take_with_tag(info);
    unsure |= *tagged == TagChange::Unsure;
    std::this_thread::sleep_for(kTagPause);
  }
  const Result<std::optional<LockInfo>> there = look(client_->late());
  if (!there) return there.error();
  if (*there) return held_by(**there);
  if (unsure) return take_with_doubt(info);
  return Place::Locking{
      true, tag_info(),
      fmt::format("The state \"{}\" is locked: {} exists, which runs create only while they acquire the lock",
                  client_->shown(state_), CosClient::shown_tag(tag_))};
}

LockInfo CosLock::tag_info() const {
  return {.id = tag_, .info = "The ID is the value of the tag", .path = name_};
}

Error CosLock::tag_stays(const Error& why) const {
  return Error{fmt::format(
      "{}. Until {} is deleted, no run can lock the state \"{}\"; delete it if no other run is starting",
      why.message, CosClient::shown_tag(tag_), client_->shown(state_))};
}

// The tag keeps all other runs from the lock, so the lock is not kept either.
Error CosLock::undone(const Error& why, const std::string& id) {
  const Error out = tag_stays(why);
  id_.clear();
  return release(id, client_->late(), client_->late()) ? out : may_remain(out, id);
}

Place::Locking CosLock::held_by(LockInfo holder) const {
  return {true, std::move(holder),
          fmt::format("The state \"{}\" is locked: the object \"{}\" exists", client_->shown(state_),
                      client_->shown(name_))};
}

Result<Place::Locking> CosLock::take_with_tag(LockInfo& info) {
  Result<Place::Locking> out = take(info);
  const Result<TagChange> removed = client_->remove_tag(tag_, client_->late());
  if (!removed && out && !out->held) return undone(removed.error(), info.id);
  if (!removed) return tag_stays(out ? Error{out->reason + ", and " + removed.error().message} : out.error());
  return out;
}

// The tag is most likely that of an attempt whose answer was lost: others have it for a moment only, and then
// there is the object. One that was only slow makes the object at last, over ours.
Result<Place::Locking> CosLock::take_with_doubt(LockInfo& info) {
  Result<Place::Locking> out = take_with_tag(info);
  if (!out || out->held) return out;
  std::this_thread::sleep_for(kTagPause * kTagTries);
  Result<std::optional<LockInfo>> there = look(client_->late());
  if (!there) return there.error();
  if (*there && (*there)->id == id_) return out;
  id_.clear();
  return held_by(there->value_or(LockInfo()));
}

// What is there already may be of an attempt whose answer was lost.
Result<Place::Locking> CosLock::take(LockInfo& info) {
  Result<std::optional<LockInfo>> there = look(client_->late());
  if (!there) return there.error();
  info.path = name_;
  const std::string text = info.json(), id = md5_hex(text);
  if (*there && (*there)->id != id) return held_by(std::move(**there));
  if (!*there)
    if (Result<void> put = client_->put(name_, text, client_->late()); !put) return put.error();
  info.id = id_ = id;
  return Place::Locking{};
}

Result<std::optional<LockInfo>> CosLock::holder(bool late) {
  return look(late ? client_->late() : client_->stop());
}

// Whether the tag is there shows when it is made.
Result<std::optional<LockInfo>> CosLock::find_holder() {
  Result<std::optional<LockInfo>> there = holder(false);
  if (!there || *there) return there;
  const Result<TagChange> tagged = client_->add_tag(tag_, client_->late());
  if (!tagged) return tagged.error();
  if (*tagged != TagChange::Done) return std::optional(tag_info());
  const Result<TagChange> removed = client_->remove_tag(tag_, client_->late());
  if (!removed) return tag_stays(removed.error());
  return std::optional<LockInfo>();
}

Result<std::optional<LockInfo>> CosLock::look(net::Ending stop) {
  const Result<std::optional<CosObject>> there = client_->get(name_, stop);
  if (!there) return there.error();
  if (!*there) return std::optional<LockInfo>();
  LockInfo out = lock_info_in((*there)->bytes);
  out.id = (*there)->md5;
  return std::optional(std::move(out));
}

Result<void> CosLock::release(const std::string& id, net::Ending look, net::Ending stop) {
  const Result<std::optional<CosObject>> there = client_->get(name_, look);
  if (!there) return there.error();
  if (!*there)
    return Error{fmt::format("the lock is gone: the object \"{}\" does not exist", client_->shown(name_))};
  if ((*there)->md5 != id)
    return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" of \"{}\"",
                             shown_text(id), (*there)->md5, client_->shown(name_))};
  return release_own([&](bool& unsure) { return client_->remove(name_, &unsure, stop); },
                     [&]() -> Result<bool> {
                       const Result<std::optional<CosObject>> now = client_->get(name_, stop);
                       if (!now) return now.error();
                       return *now && (*now)->md5 == id;
                     },
                     stop.stop);
}

Result<void> CosLock::unlock(Stop stop) {
  return release(std::exchange(id_, {}), stop, stop);
}

// With the tag that its holder may have left behind, or that tag alone.
Result<void> CosLock::break_lock(const std::string& id) {
  const Result<std::optional<LockInfo>> there =
      id == tag_ ? look(client_->stop()) : std::optional<LockInfo>();
  if (!there) return there.error();
  const bool alone = id == tag_ && !*there;
  Result<void> gone = alone ? Result<void>() : release(id, client_->stop(), nullptr);
  if (!gone) return gone;
  const Result<TagChange> removed = client_->remove_tag(tag_);
  if (!removed) return removed.error();
  if (alone && *removed == TagChange::Not)
    return Error{
        fmt::format("the lock is gone: neither its tag nor the object \"{}\" exists", client_->shown(name_))};
  return {};
}

Result<std::optional<bool>> CosLock::still_held(Stop stop) {
  const Result<std::optional<CosObject>> there = client_->get(name_, stop);
  if (!there) return there.error();
  return std::optional(*there && (*there)->md5 == id_);
}

}  // namespace xplan::backend::cos
