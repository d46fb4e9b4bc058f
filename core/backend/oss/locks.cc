// Taking, looking at and releasing the lock.
#include "core/backend/oss/locks.h"

#include <fmt/format.h>

#include <utility>

#include "core/backend/lock_info.h"
#include "core/backend/oss/rows.h"
#include "core/base/shown_text.h"

namespace xplan::backend::oss {

OssLock::OssLock(std::shared_ptr<OssClient> client, const std::string& state)
    : client_(std::move(client)),
      name_(client_->shown(state)),
      row_(client_->settings().bucket + "/" + state) {}

Result<Place::Locking> OssLock::try_lock(LockInfo& info) {
  constexpr int kVanished = 3;  // how often a holder may be gone before it can be named
  info.path = row_;
  const std::string own = info.json();
  for (int n = 0;; ++n) {
    if (stopped(client_->stop())) return interrupted();
    const Result<OssClient::TableAnswer> a = put_row(*client_, row_, "Info", own, true, client_->late());
    if (!a) return a.error();
    if (!a->refused.empty() && a->refused != kConditionFailed) return Error{a->text};
    Result<std::optional<std::string>> there = std::optional<std::string>(own);
    if (!a->refused.empty()) there = text(client_->late());
    if (!there) return there.error();
    if (*there && **there == own) {  // or an attempt whose answer was lost
      id_ = info.id;
      return Place::Locking{};
    }
    if (*there || n == kVanished)
      return held_by(there->value_or(""),
                     fmt::format("The state \"{}\" is locked: the TableStore table \"{}\" contains the row "
                                 "\"{}\"",
                                 name_, client_->settings().table, row_),
                     fmt::format("the row \"{}\" of the table", row_));
  }
}

Result<std::optional<std::string>> OssLock::text(net::Ending stop) {
  return get_row(*client_, row_, "Info", stop);
}

Result<std::optional<LockInfo>> OssLock::holder(bool late) {
  const Result<std::optional<std::string>> there = text(late ? client_->late() : client_->stop());
  if (!there) return there.error();
  return *there ? std::optional(lock_info_in(**there)) : std::nullopt;
}

Result<void> OssLock::break_lock(const std::string& id) {
  return release(id, client_->stop(), nullptr);
}

Result<void> OssLock::release(const std::string& id, net::Ending look, net::Ending stop) {
  const Result<std::optional<std::string>> there = text(look);
  if (!there) return there.error();
  const std::string& table = client_->settings().table;
  if (!*there)
    return Error{fmt::format("the lock is gone: the TableStore table \"{}\" does not contain the row \"{}\"",
                             table, row_)};
  if (const LockInfo holder = lock_info_in(**there); holder.id != id)
    return Error{fmt::format(
        "lock ID \"{}\" does not match the existing lock ID \"{}\" in the TableStore table \"{}\"",
        shown_text(id), shown_foreign(holder.id), table)};
  return delete_row(*client_, row_, "Info", **there, stop);
}

Result<void> OssLock::unlock(Stop stop) {
  return release(std::exchange(id_, {}), stop, stop);
}

Result<std::optional<bool>> OssLock::still_held(Stop stop) {
  if (!any()) return std::optional<bool>();
  const Result<std::optional<std::string>> there = text(stop);
  if (!there) return there.error();
  return std::optional(*there && lock_info_in(**there).id == id_);
}

}  // namespace xplan::backend::oss
