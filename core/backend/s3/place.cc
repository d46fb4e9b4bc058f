// States as objects, their digests in the table, and segments of journals.
#include "core/backend/s3/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/backend/s3/items.h"
#include "core/backend/s3/locks.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/threads.h"
#include "core/cloud/aws_answer.h"

namespace xplan::backend::s3 {
namespace {

// How long a digest may be ahead of its state, or behind it, and how often to look.
constexpr std::chrono::seconds kSettles(10), kPause(2);

class S3Place : public Place {
 public:
  S3Place(std::shared_ptr<S3Client> client, std::string key)
      : client_(std::move(client)), key_(std::move(key)), locks_(client_, key_) {}

  std::string name() const override { return client_->shown(key_); }
  Result<std::optional<Content>> get() override;
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  bool locks() const override { return locks_.any(); }
  Result<Locking> try_lock(LockInfo& info) override { return locks_.try_lock(info); }
  Result<void> unlock() override { return locks_.unlock(); }
  Result<std::optional<bool>> still_held() override { return locks_.still_held(); }
  Result<std::optional<LockInfo>> holder() override { return locks_.holder(); }
  Result<void> break_lock(const std::string& id) override { return locks_.break_lock(id); }

  bool keeps_segments() const override { return true; }
  Result<void> put_segment(const std::string& name, std::string_view bytes) override {
    const Result<S3Put> put = client_->put(segment(name), bytes);
    return put ? Result<void>() : put.error();
  }
  Result<std::vector<std::string>> segments() override;
  Result<std::string> get_segment(const std::string& name) override {
    Result<std::optional<S3Object>> there = client_->get(segment(name));
    if (!there) return there.error();
    if (!*there) return Error{fmt::format("\"{}\" does not exist", client_->shown(segment(name)))};
    return std::move((*there)->bytes);
  }
  Result<void> remove_segment(const std::string& name) override { return client_->remove(segment(name)); }
  Result<std::vector<std::string>> get_segments(const std::vector<std::string>& names) override;
  Result<void> remove_segments(const std::vector<std::string>& names) override;

 private:
  bool keeps_digest() const { return !client_->settings().table.empty(); }
  std::string item() const { return client_->settings().bucket + "/" + key_ + "-md5"; }
  std::string segment(const std::string& name) const { return key_ + ".journal/" + name; }

  const std::shared_ptr<S3Client> client_;
  const std::string key_;
  S3Locks locks_;
};

bool wait_a_moment(Stop stop) {
  const auto until = std::chrono::steady_clock::now() + kPause;
  while (!stopped(stop) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return !stopped(stop);
}

Result<std::optional<Content>> S3Place::get() {
  const Stop stop = client_->stop();
  for (const auto until = std::chrono::steady_clock::now() + kSettles;;) {
    Result<std::optional<S3Object>> there = client_->get(key_, stop);
    if (!there) return there.error();
    std::optional<Content> out;
    if (*there) out = Content{std::move((*there)->bytes), std::move((*there)->etag)};
    if (!keeps_digest()) return out;
    const Result<std::optional<std::string>> wanted = get_item(*client_, item(), "Digest", stop);
    if (!wanted) return wanted.error();
    const std::string found = out ? hex_encode(digest(Digest::Md5, out->bytes)) : "";
    if (!*wanted || (*wanted)->empty() || **wanted == found) return out;
    if (std::chrono::steady_clock::now() >= until)
      return Error{
          fmt::format("state data in S3 does not have the expected content: \"{}\" has the checksum \"{}\", "
                      "but the item \"{}\" of the "
                      "DynamoDB table \"{}\" contains \"{}\". Another write may be under way: wait a minute, "
                      "and try again. If that does "
                      "not help, and the state is intact, correct or delete the item",
                      name(), found, item(), client_->settings().table, cloud::shown_text(**wanted))};
    if (!wait_a_moment(stop)) return interrupted();
  }
}

Result<Place::Put> S3Place::put(std::string_view bytes, const std::optional<std::string>& version) {
  using Kind = S3Condition::Kind;
  const Result<S3Put> done =
      client_->put(key_, bytes, version ? S3Condition{Kind::Match, *version} : S3Condition{Kind::Absent, {}});
  if (!done) return done.error();
  if (done->conflict) return Put{true, {}};
  if (keeps_digest()) {
    const auto kept = put_item(*client_, item(), "Digest", hex_encode(digest(Digest::Md5, bytes)), false);
    if (!kept || !kept->refused.empty())
      return Error{"the state is written, but not its checksum: " +
                   (kept ? kept->text : kept.error().message)};
  }
  return Put{false, done->etag};
}

Result<std::vector<std::string>> S3Place::segments() {
  const std::string prefix = segment("");
  Result<std::vector<std::string>> keys = client_->list(prefix);
  if (!keys) return keys.error();
  std::vector<std::string> out;
  for (const std::string& key : *keys)
    if (std::string name = key.substr(prefix.size()); !name.empty() && name.find('/') == name.npos)
      out.push_back(std::move(name));
  std::sort(out.begin(), out.end());
  return out;
}

constexpr size_t kConnections = 16;

// Several at once, since each takes its time; the first problem in their order counts.
template <class T, class F>
std::optional<Error> each_at_once(std::vector<Result<T>>& results, F f) {
  const size_t threads = std::min(results.size(), kConnections);
  all_at_once(threads, [&](size_t first) {
    for (size_t i = first; i < results.size(); i += threads) results[i] = f(i);
  });
  for (const Result<T>& r : results)
    if (!r) return r.error();
  return std::nullopt;
}

Result<std::vector<std::string>> S3Place::get_segments(const std::vector<std::string>& names) {
  std::vector<Result<std::string>> results(names.size(), std::string());
  if (auto problem = each_at_once(results, [&](size_t i) { return get_segment(names[i]); })) return *problem;
  std::vector<std::string> out;
  for (Result<std::string>& r : results) out.push_back(std::move(*r));
  return out;
}

Result<void> S3Place::remove_segments(const std::vector<std::string>& names) {
  std::vector<Result<void>> results(names.size());
  if (auto problem = each_at_once(results, [&](size_t i) { return remove_segment(names[i]); }))
    return *problem;
  return {};
}

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<S3Client> client, std::string key) {
  return std::make_unique<S3Place>(std::move(client), std::move(key));
}

Result<void> remove_place(const std::shared_ptr<S3Client>& client, const std::string& key) {
  const std::unique_ptr<Place> place = make_place(client, key);
  const Result<std::vector<std::string>> segments = place->segments();
  if (!segments) return segments.error();
  if (Result<void> gone = place->remove_segments(*segments); !gone) return gone;
  if (Result<void> gone = client->remove(key); !gone) return gone;
  return client->settings().table.empty()
             ? Result<void>()
             : delete_item(*client, client->settings().bucket + "/" + key + "-md5", "Digest");
}

}  // namespace xplan::backend::s3
