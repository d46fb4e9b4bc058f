// Finding the workspace, taking, looking at and releasing its lock.
#include "core/backend/hcp/lock.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/backend/release.h"
#include "core/base/json_writer.h"
#include "core/base/stop.h"
#include "core/state/lock.h"

namespace xplan::backend::hcp {
namespace {

constexpr std::string_view kReason = "Locked by xplan for ";

std::string reason_text(const LockInfo& info) {
  return fmt::format("{}{} ({}, {}, {}){}{}", kReason, info.who, info.operation, info.id, info.created,
                     info.info.empty() ? "" : "; ", info.info);
}

// What a run of this program has said in it; `user`: as the server names whose lock it is.
LockInfo holder_in(const std::string& reason, const std::string& user) {
  LockInfo out;
  out.who = user, out.info = reason;
  const size_t open = reason.find(" ("), close = reason.find(')', std::min(open, reason.size()));
  if (!reason.starts_with(kReason) || close == reason.npos) return out;
  out.who = reason.substr(kReason.size(), open - kReason.size());
  std::string_view rest = std::string_view(reason).substr(open + 2, close - open - 2);
  std::string id;  // of the run, while the server's lock has another one
  for (std::string* part : {&out.operation, &id, &out.created}) {
    const size_t comma = std::min(rest.find(", "), rest.size());
    *part = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  const size_t notes = std::min(close + 3, reason.size());  // behind "; "
  out.info = user.empty() ? "" : "locked by the user " + user + (notes < reason.size() ? "; " : "");
  out.info += reason.substr(notes);
  return out;
}

}  // namespace

Result<std::optional<std::string>> FoundWorkspace::id(Stop stop) {
  std::lock_guard lock(mutex_);
  if (!id_.empty()) return std::optional(id_);
  Result<std::optional<Workspace>> found = find_workspace(*api_, name_, stop);
  if (!found) return found.error();
  if (!*found) return std::optional<std::string>();
  id_ = (*found)->id;
  return std::optional(id_);
}

Result<void> FoundWorkspace::make() {
  Result<Workspace> made = make_workspace(*api_, name_);
  if (!made) return made.error();
  std::lock_guard lock(mutex_);
  id_ = made->id;
  return {};
}

std::string HcpLock::what(std::string_view doing) const {
  return fmt::format("{} \"{}\"", doing, api_->shown(name_));
}

Result<Reply> HcpLock::act(const char* action, const std::string* body, net::Ending stop, bool once) {
  const Result<std::optional<std::string>> workspace = found_->id(stop.stop);
  if (!workspace) return workspace.error();
  if (!*workspace) return Reply{404, {}};
  return api_->send("POST", "workspaces/" + **workspace + "/actions/" + action, body, stop, once);
}

// The server has one lock for each workspace; whose it is, only its reason tells.
Place::Locking HcpLock::held_elsewhere(const Workspace& w, Stop stop) const {
  LockInfo info = holder_in(shown_line(w.lock_reason), lock_holder(*api_, name_, stop));
  info.id = lock_id();
  info.path = api_->shown(name_);
  return {true, std::move(info), fmt::format("the workspace \"{}\" is already locked", api_->shown(name_))};
}

// A lock whose answer was lost is recognized by its reason, where the server tells it.
Result<Place::Locking> HcpLock::try_lock(LockInfo& info) {
  const Stop stop = api_->stop();
  const Result<std::optional<std::string>> workspace = found_->id(stop);
  if (!workspace) return workspace.error();
  if (!*workspace)
    if (Result<void> made = found_->make(); !made) return made.error();
  info.path.clear();
  const std::string reason = reason_text(info);
  JsonWriter w;
  w.begin_object();
  w.member("reason", reason);
  w.end_object();
  const std::string body = w.take();
  if (stopped(stop)) return interrupted();
  const Result<Reply> r = act("lock", &body, api_->late());  // a request that was cut off may have taken it
  if (!r || r->status == 409) {
    const Result<std::optional<Workspace>> there = find_workspace(*api_, name_, api_->late());
    if (!there) return r ? there.error() : r.error();
    const Workspace seen = there->value_or(Workspace());
    const bool taken = seen.lock_reason.find(info.id) != std::string::npos;
    if (!taken && !r) return r.error();
    if (!taken) return held_elsewhere(seen, stop);
  } else if (!r->good()) {
    return api_->refused(what("lock the workspace"), *r);
  }
  info.id = lock_id();
  ours_ = reason;
  return Place::Locking{};
}

// The server would release any lock of this user, also that of another run.
Result<void> HcpLock::unlock(Stop stop) {
  if (ours_.empty()) return {};
  const std::string reason = std::exchange(ours_, {});
  const Result<std::optional<Workspace>> before = find_workspace(*api_, name_, stop);
  if (!before) return before.error();
  const bool locked = *before && (*before)->locked;
  if (!locked || (!(*before)->lock_reason.empty() && (*before)->lock_reason != reason))
    return Error{fmt::format("the lock is gone: the workspace \"{}\" {}", api_->shown(name_),
                             locked ? "is locked by another run" : "is not locked")};
  return release_own(
      [&](bool& unsure) -> Result<void> {
        const Result<Reply> r = act("unlock", nullptr, stop, true);
        unsure = !r || r->status == 409 || r->status == 429 || r->status >= 500;
        if (!r) return r.error();
        return r->good() ? Result<void>() : api_->refused(what("release the lock of the workspace"), *r);
      },
      [&]() -> Result<bool> {
        const Result<std::optional<Workspace>> now = find_workspace(*api_, name_, stop);
        if (!now) return now.error();
        if (!*now || !(*now)->locked) return false;
        if ((*now)->lock_reason.empty()) return Error{"nobody tells whose it is"};
        return (*now)->lock_reason == reason;
      },
      stop);
}

Result<std::optional<bool>> HcpLock::still_held(Stop stop) {
  const Result<std::optional<Workspace>> w = find_workspace(*api_, name_, stop);
  if (!w) return w.error();
  if (!*w || !(*w)->locked) return std::optional(false);
  if ((*w)->lock_reason.empty()) return std::optional(true);
  return std::optional((*w)->lock_reason == ours_);
}

Result<std::optional<LockInfo>> HcpLock::holder(bool late) {
  const Result<std::optional<Workspace>> w =
      find_workspace(*api_, name_, late ? api_->late() : net::Ending(api_->stop()));
  if (!w) return w.error();
  if (!*w || !(*w)->locked) return std::optional<LockInfo>();
  return held_elsewhere(**w, api_->stop()).holder;
}

Result<void> HcpLock::break_lock(const std::string& id) {
  const Error not_locked{fmt::format("the workspace \"{}\" is not locked", api_->shown(name_))};
  if (id != lock_id()) {
    const Result<std::optional<Workspace>> w = find_workspace(*api_, name_, api_->stop());
    if (w && !(*w && (*w)->locked)) return not_locked;
    return Error{
        fmt::format("the lock ID \"{}\" does not match the lock ID of the workspace, which is \"{}\"",
                    shown_line(id), lock_id())};
  }
  const Result<Reply> r = act("force-unlock", nullptr, nullptr, true);
  if (!r) return r.error();
  if (r->good()) return {};
  if (r->status == 409) return not_locked;
  return api_->refused(what("unlock the workspace"), *r);
}

}  // namespace xplan::backend::hcp
