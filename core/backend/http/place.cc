// Requests about one state and its lock, and what the answers mean.
#include "core/backend/http/place.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/backend/limits.h"
#include "core/backend/lock_info.h"
#include "core/base/backoff.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"
#include "core/net/redact.h"
#include "core/state/lock.h"

namespace xplan::backend {
namespace {

constexpr long kSilence = 60;  // seconds; some servers think for long before they answer

std::string version_of(std::string_view bytes) {
  return digest(Digest::Sha256, bytes);
}

class HttpPlace : public Place {
 public:
  explicit HttpPlace(std::shared_ptr<const HttpSettings> settings)
      : s_(std::move(settings)), client_(s_->tls) {}
  std::string name() const override { return net::shown_address(s_->address); }
  Result<std::optional<Content>> get(Arrival* arrival, bool always) override {
    return read(always ? nullptr : s_->stop, arrival);
  }
  Result<std::optional<std::string>> version() override;
  Result<bool> is_still(const std::optional<std::string>& version) override;
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;
  bool locks() const override { return !s_->lock_address.empty(); }
  bool tells_holder() const override { return false; }
  Result<Locking> try_lock(LockInfo& info) override;
  Result<void> unlock(Stop stop) override;
  Result<std::optional<LockInfo>> find_holder() override;
  Result<void> break_lock(const std::string& id) override;

 private:
  // `damaged`: why it is not what the server says that it is, which is no error then.
  Result<std::optional<Content>> read(Stop stop, Arrival* arrival, std::string* damaged = nullptr);
  struct How {
    net::Ending stop = nullptr;
    Arrival* arrival = nullptr;
    bool once = false;
    std::chrono::seconds patience{0};
  };
  Result<net::Answer> send(const std::string& method, const std::string& url, net::Body body, const How& how);
  // `method` is known to some servers only; `otherwise`: what to set for those that do not know it.
  Error refused(std::string_view doing, const std::string& url, const net::Answer& a,
                std::string_view method = {}, std::string_view otherwise = {}) const;
  Result<Locking> take(LockInfo& info, net::Ending stop);
  Result<void> release(LockInfo info, Stop stop = nullptr);
  // `unsure`: on an error, whether it may have been carried out all the same.
  Result<void> ask_to_release(const LockInfo& info, int attempt, Stop stop, bool& unsure);

  const std::shared_ptr<const HttpSettings> s_;
  net::Client client_;
  std::optional<LockInfo> held_;
  net::Body written_;  // by this run, last
};

// Some servers keep documents, and write them in their own way.
bool same_document(std::string_view a, std::string_view b) {
  const Result<Json> one = parse_document(a), other = one ? parse_document(b) : one;
  return one && other && *one == *other;
}

Result<net::Answer> HttpPlace::send(const std::string& method, const std::string& url, net::Body body,
                                    const How& how) {
  net::Request r;
  r.url = url;
  r.method = method;
  r.user = s_->user;
  r.password = s_->password;
  r.failure = "failed to reach the server with " + method + " at";
  r.limits.silence = kSilence;
  r.limits.body = method == "GET" ? kLargestState : kLargestReply;
  r.retry = s_->retry;
  r.stop = how.stop, r.once = how.once, r.patience = how.patience;
  r.arrival = how.arrival;
  r.headers = s_->headers;
  r.own_headers = !s_->headers.empty();
  if (body) {
    r.headers.emplace_back("Content-Type", "application/json");
    r.headers.emplace_back("Content-MD5", base64_encode(digest(Digest::Md5, *body)));
    r.body = std::move(body);
  }
  return client_.send(r);
}

// What an answer says that is neither success nor of a meaning of its own.
Error HttpPlace::refused(std::string_view doing, const std::string& url, const net::Answer& a,
                         std::string_view method, std::string_view otherwise) const {
  const std::string what = fmt::format("cannot {} {}: the server answered {}", doing, net::shown_address(url),
                                       net::status_text(a.status));
  if (a.status == 401)
    return Error{what + ". Set \"username\" and \"password\" to credentials that it accepts"};
  if (a.status == 403) return Error{what + ". The credentials do not permit this"};
  if ((a.status == 405 || a.status == 501) && !method.empty())
    return Error{fmt::format("{}. It does not support {}; {}", what, method, otherwise)};
  if (a.attempts > 1 && s_->retry.again(a.status))
    return Error{fmt::format("{} after {} attempts", what, a.attempts)};
  return Error{what};
}

Result<std::optional<Content>> HttpPlace::read(Stop stop, Arrival* arrival, std::string* damaged) {
  Result<net::Answer> a = send("GET", s_->address, {}, {stop, arrival});
  if (!a) return a.error();
  if (a->status == 204 || a->status == 404) return std::optional<Content>();
  if (a->status != 200) return refused("read the state at", s_->address, *a);
  // What is not such a sum at all says nothing of the content.
  std::string sum;
  const auto told = a->headers.find("content-md5");
  if (told != a->headers.end() && base64_decode(told->second, sum) && sum.size() == 16 &&
      sum != digest(Digest::Md5, a->body)) {
    std::string why = fmt::format(
        "the state at {} was damaged in transit or on the server: its MD5 checksum does not match "
        "the one that the server sent with it",
        name());
    if (!damaged) return Error{std::move(why)};
    *damaged = std::move(why);
  }
  if (a->body.empty()) return std::optional<Content>();
  std::string version = version_of(a->body);
  const auto type = a->headers.find("content-type");
  return std::optional(Content{std::move(a->body), std::move(version),
                               type == a->headers.end() ? std::string() : std::move(type->second)});
}

// A page, of a proxy where one has to log in, is replaced by nobody: that would be told to have worked.
Result<std::optional<std::string>> HttpPlace::version() {
  std::string damaged;
  const Result<std::optional<Content>> there = read(s_->stop, nullptr, &damaged);
  if (!there) return there.error();
  if (!*there || web_page(*this, **there)) return std::optional<std::string>();
  return std::optional((*there)->version);
}

Result<bool> HttpPlace::is_still(const std::optional<std::string>& version) {
  std::string damaged;
  const Result<std::optional<Content>> there = read(nullptr, nullptr, &damaged);
  if (!there) return there.error();
  if (version == (*there ? std::optional((*there)->version) : std::nullopt)) return true;
  if (!damaged.empty()) return Error{std::move(damaged)};
  return *there && written_ && version == version_of(*written_) && same_document((*there)->bytes, *written_);
}

// Also with the lock, since somebody else may have released it, and few servers look at its ID.
Result<Place::Put> HttpPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  const Result<bool> same = is_still(version);
  if (!same) return same.error();
  if (!*same) return Put{true, ""};
  const net::Body body = std::string(bytes);
  const std::string url = held_ ? with_lock_id(s_->address, held_->id) : s_->address;
  Result<net::Answer> a = send(s_->update_method, url, body, {.patience = s_->patience});
  if (!a) return a.error();
  if (a->status != 200 && a->status != 201 && a->status != 204)
    return refused("write the state at", s_->address, *a, s_->update_method, "set \"update_method\"");
  written_ = body;
  return Put{false, version_of(bytes)};
}

// The path stays empty: the server has no name for the state but its address. The request is not cut off
// at once when the run is to stop, since the server may have taken the lock by then.
Result<Place::Locking> HttpPlace::try_lock(LockInfo& info) {
  if (stopped(s_->stop)) return interrupted();
  Result<Locking> out = take(info, {s_->stop, s_->last_answer});
  if (out && !out->held) held_ = info;
  return out;
}

Result<Place::Locking> HttpPlace::take(LockInfo& info, net::Ending stop) {
  info.path.clear();
  const std::string body = info.json();
  Result<net::Answer> a = send(s_->lock_method, s_->lock_address, body, {stop});
  if (!a) return a.error();
  if (a->status == 409 || a->status == 423) {
    Locking out{true, parse_lock_info(a->body),
                fmt::format("The state at {} is locked by another run", name())};
    if (out.holder && out.holder->id.empty()) out.holder.reset();
    if (!out.holder) out.reason += ", but the server does not say which one";
    // An attempt before this one took the lock, and its answer was lost.
    if (!out.holder || out.holder->id != info.id) return out;
  } else if (a->status != 200) {
    return refused("lock the state at", s_->lock_address, *a, s_->lock_method,
                   "set \"lock_method\", or remove \"lock_address\"");
  }
  return Locking{};
}

Result<void> HttpPlace::unlock(Stop stop) {
  if (!held_) return {};
  return release(*std::exchange(held_, std::nullopt), stop);
}

Result<std::optional<LockInfo>> HttpPlace::find_holder() {
  if (s_->unlock_address.empty()) return Error{"a lock that is taken could not be released"};
  LockInfo own = new_lock_info("force-unlock", "");
  const Result<Locking> taken = try_lock(own);
  if (!taken) return taken.error();
  if (taken->held) return std::optional(taken->holder.value_or(LockInfo()));
  if (Result<void> released = unlock(nullptr); !released) return may_remain(released.error(), own.id);
  return std::optional<LockInfo>();
}

// Servers that look at the ID refuse another one than that of the lock. They release what nobody has, too:
// only whether it can be taken tells that.
Result<void> HttpPlace::break_lock(const std::string& id) {
  if (s_->unlock_address.empty())
    return Error{"nothing was unlocked, because the argument \"unlock_address\" of the backend is not set"};
  LockInfo own = new_lock_info("force-unlock", "");
  if (const Result<Locking> taken = try_lock(own); taken && !taken->held) {
    if (Result<void> released = unlock(nullptr); !released) return may_remain(released.error(), own.id);
    return Error{"the lock is gone: nobody had it, so that it could be acquired"};
  }
  LockInfo info;
  info.id = id;
  info.created = "0001-01-01T00:00:00Z";
  return release(std::move(info));
}

// Sent once each time: another run may have taken the lock by the second, and few servers look at the ID.
// Where it may have been carried out although no answer says so, only taking the lock tells who has it; then
// it is that one which is to be released.
Result<void> HttpPlace::release(LockInfo info, Stop stop) {
  if (s_->unlock_address.empty()) return {};
  const std::string id = info.id;
  for (int n = 1;; ++n) {
    bool unsure = false;
    const Result<void> done = ask_to_release(info, n, stop, unsure);
    if (done) return done;
    const Error problem = info.id == id ? done.error() : may_remain(done.error(), info.id);
    if (!unsure || n > s_->retry.times || stopped(stop)) return problem;
    wait_unless_stopped(backoff(n - 1, s_->retry.first, s_->retry.most), stop);
    LockInfo probe = new_lock_info("unlock", "");
    const Result<Locking> taken = take(probe, stop);
    if (!taken || (taken->held && !taken->holder)) return problem;
    if (taken->held && taken->holder->id != info.id) return {};
    if (!taken->held) info = probe;
  }
}

Result<void> HttpPlace::ask_to_release(const LockInfo& info, int attempt, Stop stop, bool& unsure) {
  Result<net::Answer> a =
      send(s_->unlock_method, s_->unlock_address, info.json(), {.stop = stop, .once = true});
  unsure = !a || s_->retry.again(a->status);
  if (!a) return a.error();
  if (a->status == 200) return {};
  a->attempts = attempt;
  const auto holder = a->status == 409 || a->status == 423 ? parse_lock_info(a->body) : std::nullopt;
  if (holder && !holder->id.empty())
    return Error{fmt::format("the state at {} is locked by another run:\n{}\nIts lock was not released",
                             name(), lock_info_text(*holder))};
  return refused("release the lock of the state at", s_->unlock_address, *a, s_->unlock_method,
                 "set \"unlock_method\"");
}

}  // namespace

std::unique_ptr<Place> http_place(std::shared_ptr<const HttpSettings> settings) {
  return std::make_unique<HttpPlace>(std::move(settings));
}

}  // namespace xplan::backend
