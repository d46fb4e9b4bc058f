// Reading and writing versions of a state.
#include "core/backend/hcp/place.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/backend/hcp/lock.h"
#include "core/backend/hcp/version.h"
#include "core/base/base64.h"
#include "core/base/digest.h"

namespace xplan::backend::hcp {
namespace {

class HcpPlace : public Place {
 public:
  HcpPlace(std::shared_ptr<Api> api, std::string workspace, JsonOfState json_of)
      : api_(api),
        name_(workspace),
        json_of_(std::move(json_of)),
        found_(std::make_shared<FoundWorkspace>(api, workspace)),
        lock_(std::move(api), std::move(workspace), found_) {}
  std::string name() const override { return api_->shown(name_); }
  Result<std::optional<Content>> get(Arrival* arrival, bool always) override;
  Result<std::optional<std::string>> version() override;
  Result<bool> is_still(const std::optional<std::string>& last) override {
    const Result<std::optional<std::string>> now = version();
    return now ? Result<bool>(*now == last) : now.error();
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;
  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }
  std::optional<std::chrono::milliseconds> snapshots(std::chrono::milliseconds wanted) const override {
    const std::chrono::milliseconds told = std::chrono::seconds(api_->snapshot_interval());
    return told.count() ? std::optional(std::max(wanted, told)) : std::nullopt;
  }

 private:
  struct Version {
    std::string id, download, md5;
  };
  std::string what(std::string_view doing) const { return fmt::format("{} \"{}\"", doing, name()); }
  Result<std::optional<Version>> current(const std::string& id, Stop stop);
  Result<std::optional<Json>> announce(const std::string& id, std::string_view bytes, bool force, Sent sent,
                                       const std::optional<std::string>& json);

  const std::shared_ptr<Api> api_;
  const std::string name_;
  const JsonOfState json_of_;
  const std::shared_ptr<FoundWorkspace> found_;
  HcpLock lock_;
};

Result<std::optional<HcpPlace::Version>> HcpPlace::current(const std::string& id, Stop stop) {
  const Result<Reply> r = api_->send("GET", "workspaces/" + id + "/current-state-version", nullptr, stop);
  if (!r) return r.error();
  if (r->status == 404) return std::optional<Version>();
  if (!r->good()) return api_->refused(what("read the state"), *r);
  const Result<Json> data = Api::data_of(*r);
  Version out;
  if (data)
    out = {string_in(*data, "id"), attribute(*data, "hosted-state-download-url"), attribute(*data, "md5")};
  if (!data || out.id.empty() || out.download.empty())
    return Error{
        fmt::format("cannot {}: {}", what("read the state"),
                    data ? "the response from the server does not say where it is" : data.error().message)};
  return std::optional(std::move(out));
}

Result<std::optional<std::string>> HcpPlace::version() {
  const Result<std::optional<std::string>> id = found_->id(api_->stop());
  if (!id || !*id) return id;
  const Result<std::optional<Version>> there = current(**id, api_->stop());
  if (!there) return there.error();
  return *there ? std::optional((*there)->id) : std::nullopt;
}

Result<std::optional<Content>> HcpPlace::get(Arrival* arrival, bool always) {
  const Stop stop = always ? nullptr : api_->stop();
  const Result<std::optional<std::string>> id = found_->id(stop);
  if (!id) return id.error();
  if (!*id) return std::optional<Content>();
  const Result<std::optional<Version>> there = current(**id, stop);
  if (!there) return there.error();
  if (!*there) return std::optional<Content>();
  Result<Reply> r = api_->get_content((*there)->download, stop, arrival);
  if (!r) return r.error();
  if (r->status == 204) return std::optional<Content>();
  if (r->status != 200) return api_->refused(what("download the state"), *r);
  const std::string& sum = (*there)->md5;
  if (sum.size() == 32 && sum != hex_encode(digest(Digest::Md5, r->body)))
    return Error{fmt::format(
        "the state \"{}\" was damaged in transit or on the server: its MD5 checksum does not match "
        "the one that the server has",
        name())};
  return std::optional(Content{std::move(r->body), (*there)->id});
}

// The object of the new version; nothing: another serial or lineage is in the way.
Result<std::optional<Json>> HcpPlace::announce(const std::string& id, std::string_view bytes, bool force,
                                               Sent sent, const std::optional<std::string>& json) {
  const Result<std::string> body = announcement(bytes, force, sent, json);
  if (!body) return body.error();
  const Result<Reply> r = api_->send("POST", "workspaces/" + id + "/state-versions", &*body, nullptr);
  if (!r) return r.error();
  if (r->good()) {
    Result<Json> data = Api::data_of(*r);
    if (data) return std::optional(std::move(*data));
    return Error{fmt::format("cannot {}: {}", what("write the state"), data.error().message)};
  }
  // Servers that want the state inside say so.
  if (sent == Sent::Apart && (r->status == 400 || r->status == 422))
    return announce(id, bytes, force, Sent::Inside, json);
  if (r->status == 409 && !force) return std::optional<Json>();
  Error refused = api_->refused(what("write the state"), *r);
  if (r->status == 409)
    refused.message += ". To write its state, the workspace must be locked by the same user";
  return refused;
}

// Whoever replaces a version on purpose may do so with any serial and lineage, but replaces no other version.
Result<Place::Put> HcpPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  Result<std::optional<std::string>> id = found_->id(nullptr);
  if (!id) return id.error();
  if (!*id) {
    if (version) return Put{true, {}};
    if (Result<void> made = found_->make(); !made) return made.error();
    if (id = found_->id(nullptr); !id) return id.error();
  }
  const std::optional<std::string> json = json_of_ ? json_of_(bytes) : std::nullopt;
  std::optional<Json> made;
  for (const bool force : {false, true}) {
    const Result<std::optional<Version>> there = current(**id, nullptr);
    if (!there) return there.error();
    const bool same = version == (*there ? std::optional((*there)->id) : std::nullopt);
    // What was announced by an attempt whose answer was lost is announced once more.
    const bool ours = force && *there && (*there)->md5 == hex_encode(digest(Digest::Md5, bytes));
    if (!same && !ours) return Put{true, {}};
    Result<std::optional<Json>> done = announce(**id, bytes, force, Sent::Apart, json);
    if (!done) return done.error();
    if ((made = std::move(*done))) break;
  }
  const std::string at = attribute(*made, "hosted-state-upload-url");
  std::string now = string_in(*made, "id");
  if (at.empty() && attribute(*made, "status") == "pending")
    return Error{fmt::format("cannot {}: the response from the server does not say where to upload it",
                             what("write the state"))};
  if (at.empty()) return Put{false, std::move(now)};
  const Result<Reply> kept = api_->put_content(at, bytes);
  if (!kept) return kept.error();
  if (!kept->good()) return api_->refused(what("upload the state"), *kept);
  if (json) put_json(*api_, *made, *json);
  return Put{false, std::move(now)};
}

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<Api> api, std::string workspace, JsonOfState json_of) {
  return std::make_unique<HcpPlace>(std::move(api), std::move(workspace), std::move(json_of));
}

}  // namespace xplan::backend::hcp
