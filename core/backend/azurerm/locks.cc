// Taking, looking at and releasing locks.
#include "core/backend/azurerm/locks.h"

#include <fmt/format.h>

#include "core/backend/lock_info.h"
#include "core/base/base64.h"
#include "core/base/shown_text.h"

namespace xplan::backend::azurerm {
namespace {

constexpr int kTries = 4;  // while others make, take and delete the blob
constexpr const char* kHolder = "terraformlockid";

// Nothing: nobody has signed.
std::optional<LockInfo> signed_by(const AzurermBlob& blob) {
  const auto signature = blob.metadata.find(kHolder);
  std::string json;
  if (signature == blob.metadata.end() || !base64_decode(signature->second, json)) return std::nullopt;
  LockInfo info = lock_info_in(json);
  return info.id.empty() ? std::nullopt : std::optional(std::move(info));
}

}  // namespace

Place::Locking AzurermLock::held_by(const AzurermBlob& blob) const {
  Place::Locking out{true, signed_by(blob),
                     fmt::format("The state \"{}\" is locked: the blob is leased", client_->shown(key_))};
  if (out.holder) return out;
  // Something else may use it, or a run has ended between two requests.
  out.reason += ", but its holder is not known, because its metadata contains no valid lock information";
  out.holder = LockInfo{.id = path(), .info = "The ID is that of the blob", .path = path()};
  return out;
}

Result<Place::Locking> AzurermLock::try_lock(LockInfo& info) {
  info.path = path();
  const net::Ending late = client_->late();
  for (int n = 1;; ++n) {
    if (stopped(client_->stop())) return interrupted();
    const Result<LeaseTry> tried = client_->acquire(key_, info.id, late);
    if (!tried) return tried.error();
    if (*tried == LeaseTry::Taken) break;
    if (*tried == LeaseTry::Absent) {
      const Result<AzurermPut> made = client_->put(key_, "", {.when = AzurermWrite::When::Absent}, late);
      if (!made) return made.error();
    } else {
      const Result<std::optional<AzurermBlob>> there = client_->look(key_, late);
      if (!there) return there.error();
      if (*there && ((*there)->leased || n == kTries)) return held_by(**there);
    }
    if (n == kTries)
      return Error{fmt::format("failed to lock \"{}\": it is deleted again each time it is created",
                               client_->shown(key_))};
  }
  lease_ = info.id;
  const Result<void> ours = sign(info);
  if (ours) return Place::Locking{};
  lease_.clear();
  return client_->release(key_, info.id, late) ? ours.error() : may_remain(ours.error(), info.id);
}

Result<void> AzurermLock::sign(const LockInfo& info) {
  const net::Ending late = client_->late();
  Result<std::optional<AzurermBlob>> there = client_->look(key_, late);
  if (!there) return there.error();
  Metadata metadata = *there ? std::move((*there)->metadata) : Metadata();
  metadata[kHolder] = base64_encode(info.json());
  return client_->set_metadata(key_, metadata, lease_, late);
}

Result<void> AzurermLock::unlock(Stop stop) {
  return release(std::exchange(lease_, {}), stop, stop);
}

Result<void> AzurermLock::break_lock(const std::string& id) {
  return release(id, client_->stop(), nullptr);
}

Result<void> AzurermLock::release(const std::string& id, net::Ending look, net::Ending stop) {
  Result<std::optional<AzurermBlob>> there = client_->look(key_, look);
  if (!there) return there.error();
  const std::string shown = client_->shown(key_);
  if (!*there) return Error{fmt::format("the lock is gone: the blob \"{}\" does not exist", shown)};
  if (!(*there)->leased) return Error{fmt::format("the lock is gone: the blob \"{}\" is not leased", shown)};
  const std::optional<LockInfo> holder = signed_by(**there);
  if (!holder && id == path()) return client_->end_lease(key_);
  if (holder && holder->id != id)
    return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" of \"{}\"",
                             shown_text(id), shown_foreign(holder->id), shown)};
  Metadata metadata = std::move((*there)->metadata);
  if (metadata.erase(kHolder) > 0)
    if (Result<void> ok = client_->set_metadata(key_, metadata, id, stop); !ok) return ok;
  return client_->release(key_, id, stop);
}

Result<std::optional<bool>> AzurermLock::still_held(Stop stop) {
  const Result<bool> held = client_->holds(key_, lease_, stop);
  if (!held) return held.error();
  return std::optional(*held);
}

Result<std::optional<LockInfo>> AzurermLock::holder(bool late) {
  const Result<std::optional<AzurermBlob>> there =
      client_->look(key_, late ? client_->late() : client_->stop());
  if (!there) return there.error();
  if (!*there || !(*there)->leased) return std::optional<LockInfo>();
  return std::optional(signed_by(**there).value_or(LockInfo{}));
}

}  // namespace xplan::backend::azurerm
