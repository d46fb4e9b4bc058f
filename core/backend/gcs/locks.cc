// Taking, looking at and releasing the lock.
#include "core/backend/gcs/locks.h"

#include <fmt/format.h>

#include <utility>

#include "core/backend/lock_info.h"
#include "core/base/shown_text.h"

namespace xplan::backend::gcs {
namespace {

constexpr int kVanished = 3;  // how often a holder may be gone before it can be named

}  // namespace

Result<Place::Locking> GcsLock::try_lock(LockInfo& info) {
  info.path = shown();
  const std::string text = info.json();
  for (int n = 0;; ++n) {
    if (stopped(client_->stop())) return interrupted();
    Result<GcsPut> put = client_->put(name_, text, GcsKey::None, kAbsent, client_->late());
    if (!put) return put.error();
    if (!put->conflict) {
      info.id = generation_ = put->generation;
      return Place::Locking{};
    }
    Result<std::optional<LockInfo>> there = look(client_->late());
    if (!there) return there.error();
    if (*there || n == kVanished)
      return Place::Locking{true, std::move(*there),
                            fmt::format("The state \"{}\" is locked: the object \"{}\" exists",
                                        client_->shown(state_), shown())};
  }
}

Result<std::optional<LockInfo>> GcsLock::holder(bool late) {
  return look(late ? client_->late() : client_->stop());
}

Result<std::optional<LockInfo>> GcsLock::look(net::Ending stop) {
  const Result<std::optional<GcsObject>> there = client_->get(name_, GcsKey::None, stop);
  if (!there) return there.error();
  if (!*there) return std::optional<LockInfo>();
  LockInfo out = lock_info_in((*there)->bytes);
  out.id = (*there)->generation;
  return std::optional(std::move(out));
}

// A look first: where the answer of a deletion is lost, it is gone when it is deleted again.
Result<void> GcsLock::release(const std::string& generation, net::Ending look, net::Ending stop) {
  const Result<std::optional<std::string>> there = client_->generation(name_, look);
  if (!there) return there.error();
  if (!*there) return Error{fmt::format("the lock is gone: the object \"{}\" does not exist", shown())};
  if (**there != generation)
    return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" of \"{}\"",
                             generation, **there, shown())};
  const Result<GcsRemoved> gone = client_->remove(name_, generation, stop);
  if (!gone) return gone.error();
  if (*gone != GcsRemoved::Conflict) return {};
  return Error{fmt::format("somebody else took the lock \"{}\" at the same moment", shown())};
}

Result<void> GcsLock::unlock(Stop stop) {
  return release(std::exchange(generation_, {}), stop, stop);
}

Result<std::optional<bool>> GcsLock::still_held(Stop stop) {
  const Result<std::optional<std::string>> there = client_->generation(name_, stop);
  if (!there) return there.error();
  return std::optional(*there == generation_);
}

Result<void> GcsLock::break_lock(const std::string& id) {
  if (id.empty() || id.size() > 20 || id.find_first_not_of("0123456789") != id.npos)
    return Error{fmt::format(
        "lock ID \"{}\" is not a number; the ID of this lock is the generation of the object \"{}\"",
        shown_text(id), shown())};
  return release(id, client_->stop(), nullptr);
}

}  // namespace xplan::backend::gcs
