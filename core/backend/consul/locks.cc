// Taking, renewing, looking at and releasing locks.
#include "core/backend/consul/locks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/lock_info.h"
#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/net/url.h"

namespace xplan::backend::consul {
namespace {

constexpr std::chrono::seconds kLasts(15);
constexpr std::string_view kFlags = "flags=3304740253564472344";  // of keys that are locks

std::string without_slashes(std::string key) {
  while (key.ends_with('/')) key.pop_back();
  return key;
}

std::string with(std::string_view what, const std::string& session) {
  return fmt::format("{}={}&{}", what, net::escape_path(session), kFlags);
}

}  // namespace

ConsulLock::ConsulLock(std::shared_ptr<ConsulClient> client, const std::string& key)
    : client_(std::move(client)),
      path_(key),
      lock_(without_slashes(key) + "/.lock"),
      info_(without_slashes(key) + "/.lockinfo") {}

std::string ConsulLock::session() const {
  std::lock_guard guard(mutex_);
  return session_;
}
void ConsulLock::set_session(std::string id) {
  std::lock_guard guard(mutex_);
  session_ = std::move(id);
}

Result<Place::Locking> ConsulLock::try_lock(LockInfo& info) {
  const Stop stop = client_->stop();
  if (stopped(stop)) return interrupted();
  const Result<std::string> session = client_->create_session(stop);
  if (!session) return session.error();
  renewed_ = Clock::now();
  const Result<bool> ours = client_->put(lock_, "", with("acquire", *session), stop);
  if (!ours || !*ours) {
    Result<Place::Locking> out = ours ? taken_by_other() : ours.error();
    (void)client_->destroy_session(*session, client_->late());  // it would end by itself
    return out;
  }
  info.id = *session;
  info.info = "consul session: " + *session + (info.info.empty() ? "" : "; ") + info.info;
  info.path = path_;
  if (const Result<bool> told = client_->put(info_, info.json(), {}, client_->late()); !told) {
    return release(*session, client_->late()) ? told.error() : may_remain(told.error(), *session);
  }
  set_session(*session);
  return Place::Locking{};
}

Result<Place::Locking> ConsulLock::taken_by_other() {
  const Result<std::optional<Entry>> there = client_->get(lock_, client_->stop(), true);
  if (!there) return there.error();
  Place::Locking out{true, std::nullopt, {}};
  if (!*there || (*there)->session.empty()) {
    out.reason = fmt::format(
        "The state \"{}\" was locked until a moment ago. If its holder ended without releasing the lock, "
        "Consul keeps it for a few more seconds",
        client_->shown(path_));
    out.advice = "Run the command again, or use -lock-timeout to wait for the lock";
    return out;
  }
  out.reason = fmt::format("The state \"{}\" is locked: a session holds \"{}\"", client_->shown(path_),
                           client_->shown(lock_));
  Result<LockInfo> info = info_of((*there)->session, client_->stop());
  if (!info) return info.error();
  out.holder = std::move(*info);
  return out;
}

// What is there may be of another session, which ended without a word.
Result<LockInfo> ConsulLock::info_of(const std::string& session, net::Ending stop) {
  const Result<std::optional<Entry>> there = client_->get(info_, stop, true);
  if (!there) return there.error();
  LockInfo nothing_else;
  nothing_else.id = session;
  if (!*there) return nothing_else;
  const Result<Json> doc = parse_document((*there)->value);
  if (!doc || string_in(*doc, "ID") != session) return nothing_else;
  auto get = [&](const char* name) { return string_in(*doc, name); };
  return LockInfo{get("ID"),      get("Operation"), get("Info"), get("Who"),
                  get("Version"), get("Created"),   get("Path")};
}

Result<std::optional<LockInfo>> ConsulLock::holder(bool late) {
  const net::Ending stop = late ? client_->late() : client_->stop();
  const Result<std::optional<Entry>> there = client_->get(lock_, stop, true);
  if (!there) return there.error();
  if (!*there || (*there)->session.empty()) return std::optional<LockInfo>();
  Result<LockInfo> info = info_of((*there)->session, stop);
  if (!info) return info.error();
  return std::optional(std::move(*info));
}

Result<std::optional<bool>> ConsulLock::still_held(Stop stop) {
  const Clock::time_point now = Clock::now();
  const std::string id = session();
  if (id.empty()) return std::optional<bool>();
  const Result<bool> renewed = client_->renew_session(id, stop);
  if (renewed && !*renewed) return std::optional(false);
  if (renewed) {
    renewed_ = now;
    const Result<std::optional<Entry>> there = client_->get(lock_, stop, true);
    if (there) return std::optional(*there && (*there)->session == id);
    return there.error();
  }
  if (now - renewed_.load() > kLasts) return std::optional(false);
  return renewed.error();
}

Result<void> ConsulLock::unlock(Stop stop) {
  const std::string id = session();
  set_session({});
  return id.empty() ? Result<void>() : release(id, stop);
}

// First released, then ended: a session that ends with a lock delays whoever comes next.
Result<void> ConsulLock::release(const std::string& session, net::Ending stop) {
  const Result<LockInfo> info = info_of(session, client_->stop());
  Result<void> out;
  if (info && !info->path.empty())
    if (const Result<bool> gone = client_->remove(info_, {}, stop); !gone) out = gone.error();
  const Result<bool> released = client_->put(lock_, "", with("release", session), stop);
  if (!released) out = released.error();
  const Result<std::optional<Entry>> there = client_->get(lock_, stop, true);
  if (there && *there && (*there)->session.empty())
    (void)client_->remove(lock_, fmt::format("cas={}", (*there)->index), stop);
  const bool lost = released && !*released && !(there && (!*there || (*there)->session.empty()));
  if (lost) out = Error{fmt::format("the lock is gone: another session holds \"{}\"", client_->shown(lock_))};
  const Result<void> ended = client_->destroy_session(session, stop);
  return out ? ended : out;
}

Result<void> ConsulLock::break_lock(const std::string& id) {
  const Result<std::optional<Entry>> there = client_->get(lock_, client_->stop(), true);
  if (!there) return there.error();
  if (!*there || (*there)->session.empty())
    return Error{fmt::format("the lock is gone: no session holds \"{}\"", client_->shown(lock_))};
  if ((*there)->session != id)
    return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\"", shown_text(id),
                             shown_foreign((*there)->session))};
  return release(id);
}

}  // namespace xplan::backend::consul
