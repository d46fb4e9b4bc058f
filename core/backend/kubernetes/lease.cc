// Taking, looking at and releasing leases.
#include "core/backend/kubernetes/lease.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/lock_info.h"
#include "core/base/shown_text.h"

namespace xplan::backend::kubernetes {
namespace {

constexpr int kChanged = 5;  // how often a lease may change between a look and a replacement
constexpr const char* kInfo = "app.terraform.io/lock-info";

// Nothing: nobody holds it.
std::optional<std::string> holder_of(const Json& lease) {
  const Json* spec = object_in(lease, "spec");
  const Json* holder = spec ? member(*spec, "holderIdentity") : nullptr;
  if (!holder || !holder->is_string()) return std::nullopt;
  return holder->get<std::string>();
}

LockInfo info_in(const Json& lease) {
  const std::string id = holder_of(lease).value_or("");
  const Json* meta = object_in(lease, "metadata");
  const Json* notes = meta ? object_in(*meta, "annotations") : nullptr;
  LockInfo out = lock_info_in(notes ? string_in(*notes, kInfo) : "");
  if (out.id == id) return out;
  LockInfo nothing_else;
  nothing_else.id = id;
  return nothing_else;
}

}  // namespace

KubeLease::KubeLease(std::shared_ptr<KubeClient> client, const std::string& secret, Labels labels)
    : client_(std::move(client)),
      name_("lock-" + secret),
      path_(client_->settings().name_space + "/" + secret),
      labels_(std::move(labels)) {}

std::string KubeLease::id() const {
  std::lock_guard guard(mutex_);
  return id_;
}
void KubeLease::set_id(std::string id) {
  std::lock_guard guard(mutex_);
  id_ = std::move(id);
}

Result<Place::Locking> KubeLease::try_lock(LockInfo& info) {
  info.path = path_;
  const Stop stop = client_->stop();
  for (int n = 0; n < kChanged; ++n) {
    if (stopped(stop)) return interrupted();
    Result<std::optional<Json>> there = client_->get(ObjectKind::Lease, name_, stop);
    if (!there) return there.error();
    Json lease = *there ? std::move(**there)
                        : Json{{"apiVersion", "coordination.k8s.io/v1"},
                               {"kind", "Lease"},
                               {"metadata", {{"name", name_}, {"labels", labels_}}}};
    const std::optional<std::string> holder = holder_of(lease);
    if (holder && *holder != info.id) return taken_by_other(lease);
    if (!holder) {  // else an attempt before took it, and its answer was lost
      inner(lease, "spec")["holderIdentity"] = info.id;
      inner(inner(lease, "metadata"), "annotations")[kInfo] = info.json();
      const Result<bool> taken = *there ? client_->replace(ObjectKind::Lease, lease, client_->late())
                                        : client_->create(ObjectKind::Lease, lease, client_->late());
      if (!taken) return taken.error();
      if (!*taken) continue;
    }
    set_id(info.id);
    return Place::Locking{};
  }
  return Place::Locking{
      true, std::nullopt,
      fmt::format("Other programs keep changing the {}", client_->shown(ObjectKind::Lease, name_))};
}

Place::Locking KubeLease::taken_by_other(const Json& lease) const {
  Place::Locking out{true, info_in(lease),
                     fmt::format("The state is locked by the {}", client_->shown(ObjectKind::Lease, name_))};
  if (out.holder->id.empty()) out.holder.reset();
  return out;
}

Result<std::optional<bool>> KubeLease::still_held(Stop stop) {
  const std::string ours = id();
  if (ours.empty()) return std::optional<bool>();
  const Result<std::optional<Json>> there = client_->get(ObjectKind::Lease, name_, stop);
  if (!there) return there.error();
  return std::optional(*there && holder_of(**there) == ours);
}

Result<std::optional<LockInfo>> KubeLease::holder(bool late) {
  const Result<std::optional<Json>> there =
      client_->get(ObjectKind::Lease, name_, late ? client_->late() : client_->stop());
  if (!there) return there.error();
  if (!*there || !holder_of(**there)) return std::optional<LockInfo>();
  return std::optional(info_in(**there));
}

Result<void> KubeLease::unlock(Stop stop) {
  const std::string ours = id();
  set_id({});
  return ours.empty() ? Result<void>() : release(ours, stop, stop);
}

Result<void> KubeLease::break_lock(const std::string& id) {
  return release(id, client_->stop(), nullptr);
}

Result<void> KubeLease::release(const std::string& id, net::Ending look, net::Ending stop) {
  const std::string shown = client_->shown(ObjectKind::Lease, name_);
  for (int n = 0; n < kChanged; ++n) {
    Result<std::optional<Json>> there = client_->get(ObjectKind::Lease, name_, look);
    if (!there) return there.error();
    if (!*there || !holder_of(**there)) {
      if (n > 0) return {};  // an attempt before released it
      return Error{fmt::format("the lock is gone: nobody holds the {}", shown)};
    }
    Json& lease = **there;
    if (holder_of(lease) != id)
      return Error{fmt::format("lock ID \"{}\" does not match the existing lock ID \"{}\" of the {}",
                               shown_text(id), shown_foreign(*holder_of(lease)), shown)};
    inner(lease, "spec").erase("holderIdentity");
    inner(inner(lease, "metadata"), "annotations").erase(kInfo);
    const Result<bool> released = client_->replace(ObjectKind::Lease, lease, stop);
    if (!released) return released.error();
    if (*released) return {};
  }
  return Error{fmt::format("other programs keep changing the {}", shown)};
}

Result<void> KubeLease::remove() {
  for (int n = 0; n < kChanged; ++n) {
    const Result<std::optional<Json>> there = client_->get(ObjectKind::Lease, name_);
    if (!there) return there.error();
    if (!*there || holder_of(**there)) return {};
    const Result<bool> gone = client_->remove_version(ObjectKind::Lease, name_, version_in(**there));
    if (!gone) return gone.error();
    if (*gone) return {};
  }
  return {};  // whoever changes it uses it
}

}  // namespace xplan::backend::kubernetes
