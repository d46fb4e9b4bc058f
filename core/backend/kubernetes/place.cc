// States as secrets, compressed, in one or several.
#include "core/backend/kubernetes/place.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/backend/concurrent.h"
#include "core/backend/gzip.h"
#include "core/backend/kubernetes/draft.h"
#include "core/backend/kubernetes/lease.h"
#include "core/backend/kubernetes/names.h"
#include "core/base/base64.h"
#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/net/redact.h"

namespace xplan::backend::kubernetes {
namespace {

constexpr int kLooks = 3;  // while somebody else may be writing
constexpr std::chrono::milliseconds kPause(100);

std::string version_of(const std::string& data) {
  return sha256_hex(data);
}

// Whether the first secret, with this in it, is of that version.
bool has_version(const std::string& data, const std::optional<std::string>& version) {
  return data.empty() ? !version : version && version_of(data) == *version;
}

Labels labels_of(const KubeClient& client, const std::string& workspace) {
  const KubeSettings& s = client.settings();
  Labels out = s.labels;
  out.insert({{"tfstate", "true"},
              {"tfstateSecretSuffix", s.suffix},
              {"tfstateWorkspace", workspace},
              {"app.kubernetes.io/managed-by", "terraform"}});
  return out;
}

class KubePlace : public Place {
 public:
  KubePlace(std::shared_ptr<KubeClient> client, const std::string& workspace)
      : client_(std::move(client)),
        secret_(secret_name(workspace, client_->settings().suffix)),
        workspace_(workspace),
        problem_(name_problem("lock-" + secret_)),
        lease_(client_, secret_, labels_of(*client_, workspace)),
        draft_(client_, secret_, labels_of(*client_, workspace)) {}

  std::string name() const override {
    return fmt::format("{}/api/v1/namespaces/{}/secrets/{}",
                       net::shown_address(client_->settings().access.url), client_->settings().name_space,
                       secret_);
  }
  Result<std::optional<Content>> get(Arrival*, bool always) override;
  Result<bool> exists() override {  // without its other parts
    if (!problem_.empty()) return unusable();
    const Result<std::optional<std::string>> first = version();
    return first ? Result<bool>(first->has_value()) : first.error();
  }
  Result<std::optional<std::string>> version() override;
  Result<bool> is_still(const std::optional<std::string>& version) override;
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  Result<Locking> try_lock(LockInfo& info) override {
    if (!problem_.empty()) return unusable();
    return lease_.try_lock(info);
  }
  Result<void> unlock(Stop stop) override { return lease_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lease_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lease_.holder(late); }
  Result<void> break_lock(const std::string& id) override {
    if (!problem_.empty()) return unusable();
    return lease_.break_lock(id);
  }
  // Whatever is in them, so that parts which nothing refers to any more are found too.
  Result<std::map<size_t, Json>> parts(bool bare, Stop stop);
  Result<void> remove_drafts();
  Result<void> remove_lease() { return lease_.remove(); }
  const std::string& problem() const { return problem_; }
  Error unusable() const {
    return Error{
        fmt::format("the name of the workspace \"{}\" cannot be used here: {}", workspace_, problem_)};
  }

 private:
  enum class End : uint8_t { Done, Conflict };
  Result<End> put_first(const std::string& data, const std::optional<std::string>& version);
  Result<std::string> together(const std::map<size_t, Json>& found);
  void fill(Json& secret, const std::string& data) const;
  Result<End> put_others(const std::string& packed, const std::string& version);
  Result<End> remove_part(size_t n, const std::string& version);

  const std::shared_ptr<KubeClient> client_;
  const std::string secret_, workspace_;
  const std::string problem_;  // of the name; "": none
  KubeLease lease_;
  std::set<size_t> known_parts_;  // that were there when it was last read or written
  KubeDraft draft_;
  bool drafted_ = false;  // what was read came from a draft
};

Result<std::map<size_t, Json>> KubePlace::parts(bool bare, Stop stop) {
  Result<std::vector<Json>> all =
      client_->list(selector_of(*client_) + ",tfstateWorkspace=" + workspace_, bare, stop);
  if (!all) return all.error();
  std::map<size_t, Json> out;
  for (Json& secret : *all)
    if (const auto n = part_number(name_of(secret), secret_)) out[*n] = std::move(secret);
  return out;
}

// The state that is in these secrets. An error: they are not all of one state.
Result<std::string> KubePlace::together(const std::map<size_t, Json>& found) {
  std::string packed;
  for (const auto& [n, secret] : found) {
    std::string bytes;
    if (!found.count(n == 0 ? 0 : n - 1))
      return Error{fmt::format("the {}, a part of the state, does not exist",
                               client_->shown(ObjectKind::Secret, part_name(secret_, n - 1)))};
    if (!base64_decode(state_in(secret), bytes))
      return Error{fmt::format("the {} does not contain base64",
                               client_->shown(ObjectKind::Secret, part_name(secret_, n)))};
    packed += bytes;
  }
  Result<std::string> plain = gunzip(packed);
  if (plain) return plain;
  return Error{fmt::format("the contents of the {} {}", client_->shown(ObjectKind::Secret, secret_),
                           plain.error().message)};
}

// What is written at this moment is whole a moment later, or in a draft if its writer has ended.
Result<std::optional<Content>> KubePlace::get(Arrival* /*arrival*/, bool always) {
  if (!problem_.empty()) return unusable();
  const Stop stop = always ? nullptr : client_->stop();
  for (int n = 1;; ++n) {
    const Result<std::map<size_t, Json>> found = parts(false, stop);
    if (!found) return found.error();
    known_parts_.clear();
    for (const auto& [part, secret] : *found) known_parts_.insert(part);
    const auto first = found->find(0);
    const std::string data = first == found->end() ? "" : state_in(first->second);
    if (data.empty()) return std::optional<Content>();
    Result<std::string> plain = together(*found);
    if (!plain) {
      Result<std::optional<std::string>> draft = draft_.find(data, stop);
      drafted_ = draft && *draft;
      if (drafted_) plain = gunzip(**draft);
    }
    if (plain) return std::optional(Content{std::move(*plain), version_of(data)});
    if (n == kLooks)
      return Error{
          plain.error().message +
          ". If the state is in several secrets, another run may be writing it, or may have been "
          "stopped while it did. Wait until no run is writing, and try again. If that does not help, "
          "replace the state with a copy of it, with " +
          own_command("state push -force")};
    std::this_thread::sleep_for(kPause);
  }
}

Result<std::optional<std::string>> KubePlace::version() {
  const Result<std::optional<Json>> there = client_->get(ObjectKind::Secret, secret_, client_->stop());
  if (!there) return there.error();
  const std::string data = *there ? state_in(**there) : "";
  return data.empty() ? std::nullopt : std::optional(version_of(data));
}

// What others have added to it stays.
void KubePlace::fill(Json& secret, const std::string& data) const {
  Json& meta = inner(secret, "metadata");
  Json& labels = inner(meta, "labels");
  for (const auto& [name, value] : labels_of(*client_, workspace_)) labels[name] = value;
  inner(meta, "annotations")["encoding"] = "gzip";
  inner(secret, "data")["tfstate"] = data;
}

Result<bool> KubePlace::is_still(const std::optional<std::string>& version) {
  const Result<std::optional<Json>> there = client_->get(ObjectKind::Secret, secret_);
  if (!there) return there.error();
  return has_version(*there ? state_in(**there) : "", version);
}

Result<KubePlace::End> KubePlace::put_first(const std::string& data,
                                            const std::optional<std::string>& version) {
  for (int n = 0; n < 5; ++n) {
    Result<std::optional<Json>> there = client_->get(ObjectKind::Secret, secret_);
    if (!there) return there.error();
    const bool exists = there->has_value();
    const std::string old = exists ? state_in(**there) : "";
    if (n > 0 && old == data) return End::Done;  // an attempt whose answer was lost
    if (!has_version(old, version)) return End::Conflict;
    Json secret = exists ? std::move(**there) : Json{{"apiVersion", "v1"}, {"kind", "Secret"}};
    inner(secret, "metadata")["name"] = secret_;
    fill(secret, data);
    const Result<bool> put =
        !exists ? client_->create(ObjectKind::Secret, secret) : client_->replace(ObjectKind::Secret, secret);
    if (!put) return put.error();
    if (*put) return End::Done;
  }
  return End::Conflict;
}

// Fine if it is not there.
Result<KubePlace::End> KubePlace::remove_part(size_t n, const std::string& version) {
  for (int tries = 0; tries < 5; ++tries) {
    const Result<std::optional<Json>> there = client_->get(ObjectKind::Secret, part_name(secret_, n));
    if (!there) return there.error();
    if (!*there) return End::Done;
    const Result<bool> ours = is_still(version);
    if (!ours) return ours.error();
    if (!*ours) return End::Conflict;
    const Result<bool> gone =
        client_->remove_version(ObjectKind::Secret, part_name(secret_, n), version_in(**there));
    if (!gone) return gone.error();
    if (*gone) return End::Done;
  }
  return End::Conflict;
}

// All but the first, which is of this version for as long as no other run has replaced it, as one may whose
// lock is newer than ours. What such a run has written since we looked has another version, and stays; only
// what there was not could be made too late, so there is another look after it.
Result<KubePlace::End> KubePlace::put_others(const std::string& packed, const std::string& version) {
  const size_t largest = client_->settings().part;
  const size_t parts = std::max<size_t>((packed.size() + largest - 1) / largest, 1);
  std::atomic<bool> conflict = false;
  const auto may = [&] { return is_still(version); };
  const Result<void> others = for_each_concurrently(1, parts, [&](size_t n) -> Result<void> {
    const std::string data = base64_encode(std::string_view(packed).substr(n * largest, largest));
    bool existed = false;
    const auto set = [&](Json& secret) { existed = !version_in(secret).empty(), fill(secret, data); };
    const Result<bool> put = client_->put_secret(part_name(secret_, n), set, may);
    const Result<bool> still = put && *put && !existed ? may() : put;
    if (!still) return still.error();
    if (*still) return {};
    conflict = true;
    if (!*put) return {};
    const auto there = client_->get(ObjectKind::Secret, part_name(secret_, n));
    if (there && *there && state_in(**there) == data)
      (void)client_->remove_version(ObjectKind::Secret, part_name(secret_, n), version_in(**there));
    return {};
  });
  if (!others) return others.error();
  const std::vector<size_t> rest(known_parts_.lower_bound(parts), known_parts_.end());
  const Result<void> gone = for_each_concurrently(0, rest.size(), [&](size_t i) -> Result<void> {
    const Result<End> end = remove_part(rest[i], version);
    if (!end) return end.error();
    if (*end == End::Conflict) conflict = true;
    return {};
  });
  if (!gone) return gone.error();
  if (conflict) return End::Conflict;
  known_parts_.clear();
  for (size_t n = 0; n < parts; ++n) known_parts_.insert(n);
  return End::Done;
}

// Where more than one secret is concerned, a draft comes first; one that stays does no harm. Those of others
// stay until this state is whole: one of them may be all that is left of what is replaced. Those that come
// later are of what replaces this one.
Result<Place::Put> KubePlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  if (!problem_.empty()) return unusable();
  const Result<std::string> packed = gzip(bytes);
  if (!packed) return packed.error();
  const size_t largest = client_->settings().part;
  const bool several =
      packed->size() > largest || known_parts_.upper_bound(0) != known_parts_.end() || drafted_;
  KubeDraft::Drafts drafts;
  if (several) {
    const Result<bool> same = is_still(version);
    if (!same) return same.error();
    if (!*same) return Put{true, {}};
    if (const Result<void> kept = draft_.keep(*packed); !kept) return kept.error();
    if (Result<KubeDraft::Drafts> all = draft_.all(nullptr); all) drafts = std::move(*all);
  }
  const std::string first = base64_encode(std::string_view(*packed).substr(0, largest));
  const std::string written = version_of(first);
  Result<End> end = put_first(first, version);
  if (end && *end == End::Done && several) end = put_others(*packed, written);
  if (!end) return end.error();
  if (*end == End::Conflict) return Put{true, {}};
  known_parts_.insert(0);
  drafted_ = false;
  (void)draft_.remove(drafts);
  return Put{false, written};
}

Result<void> KubePlace::remove_drafts() {
  const Result<KubeDraft::Drafts> all = draft_.all(nullptr);
  return all ? draft_.remove(*all) : all.error();
}

}  // namespace

std::string selector_of(const KubeClient& client) {
  return "tfstate=true,tfstateSecretSuffix=" + client.settings().suffix;
}

std::unique_ptr<Place> make_place(std::shared_ptr<KubeClient> client, const std::string& workspace) {
  return std::make_unique<KubePlace>(std::move(client), workspace);
}

Result<void> remove_lock(const std::shared_ptr<KubeClient>& client, const std::string& workspace) {
  return KubePlace(client, workspace).remove_lease();
}

Result<void> remove_place(const std::shared_ptr<KubeClient>& client, const std::string& workspace) {
  const Result<void> gone = remove_state(client, workspace);
  return gone ? remove_lock(client, workspace) : gone;
}

Result<void> remove_state(const std::shared_ptr<KubeClient>& client, const std::string& workspace) {
  KubePlace place(client, workspace);
  if (!place.problem().empty()) return place.unusable();
  const Result<std::map<size_t, Json>> parts = place.parts(true, nullptr);
  if (!parts) return parts.error();
  // The first one makes the rest a state, so it goes last.
  std::vector<std::string> others;
  for (const auto& [n, secret] : *parts)
    if (n != 0) others.push_back(name_of(secret));
  auto remove = [&](const std::string& name) { return client->remove(ObjectKind::Secret, name); };
  if (Result<void> gone = remove_each(others, remove); !gone) return gone;
  if (parts->count(0) != 0)
    if (Result<void> gone = remove(name_of(parts->at(0))); !gone) return gone;
  return place.remove_drafts();
}

}  // namespace xplan::backend::kubernetes
