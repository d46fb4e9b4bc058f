// States as keys, whole or in parts.
#include "core/backend/consul/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "core/backend/concurrent.h"
#include "core/backend/consul/locks.h"
#include "core/backend/gzip.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/document.h"

namespace xplan::backend::consul {
namespace {

constexpr size_t kMost = 524288;  // of a request, by default
constexpr size_t kMostParts = 65'536;
constexpr int kMoved = 3;  // how often the parts may be replaced while they are read

// What the key of a state in parts says.
struct Parts {
  std::string hash;  // of the whole state, before it is compressed
  std::vector<std::string> keys;
};

std::optional<Parts> parts_in(const std::string& value) {
  if (!value.starts_with('{') || value.find("\"current-hash\"") == value.npos) return std::nullopt;
  const Result<Json> doc = parse_document(value);
  const Json* chunks = doc ? list_in(*doc, "chunks") : nullptr;
  Parts out{chunks ? string_in(*doc, "current-hash") : "", {}};
  if (out.hash.size() != 32 || out.hash.find_first_not_of("0123456789abcdef") != out.hash.npos)
    return std::nullopt;
  for (const Json& key : *chunks) {
    if (!key.is_string()) return std::nullopt;
    out.keys.push_back(key.get<std::string>());
  }
  return out;
}

std::string tree_of(std::string key, const std::string& hash) {
  while (key.ends_with('/')) key.pop_back();
  return key + "/tfstate." + hash + "/";
}

class ConsulPlace : public Place {
 public:
  ConsulPlace(std::shared_ptr<ConsulClient> client, std::string key)
      : client_(std::move(client)), key_(std::move(key)), lock_(client_, key_) {}

  std::string name() const override { return client_->shown(key_); }
  Result<std::optional<Content>> get(Arrival*, bool always) override;
  Result<std::optional<std::string>> version() override;
  Result<bool> is_still(const std::optional<std::string>& last) override {
    const Result<std::optional<std::string>> now = version();
    return now ? Result<bool>(*now == last) : now.error();
  }
  Result<Put> put(std::string_view bytes, const std::optional<std::string>& version) override;

  bool locks() const override { return client_->settings().lock; }
  bool lock_expires() const override { return true; }
  Result<Locking> try_lock(LockInfo& info) override { return lock_.try_lock(info); }
  Result<void> unlock(Stop stop) override { return lock_.unlock(stop); }
  Result<std::optional<bool>> still_held(Stop stop) override { return lock_.still_held(stop); }
  Result<std::optional<LockInfo>> holder(bool late) override { return lock_.holder(late); }
  Result<void> break_lock(const std::string& id) override { return lock_.break_lock(id); }

 private:
  Result<std::optional<std::string>> together(const Parts& parts, Stop stop);
  Result<ConsulClient::Stored> store_parts(std::string_view payload, const std::string& hash, uint64_t index);

  void remove_unused(const std::string& hash);

  const std::shared_ptr<ConsulClient> client_;
  const std::string key_;
  ConsulLock lock_;
  std::string hash_;  // of the parts of what was read or written last; "": it is whole
};

// Nothing: some of them are gone.
Result<std::optional<std::string>> ConsulPlace::together(const Parts& parts, Stop stop) {
  std::string out;
  if (std::set(parts.keys.begin(), parts.keys.end()).size() != parts.keys.size() ||
      parts.keys.size() > kMostParts)
    return Error{fmt::format(
        "the list of the parts of the state \"{}\" is damaged: it has a part twice, or more than {}", name(),
        kMostParts)};
  std::atomic<int64_t> left = static_cast<int64_t>(kLargestState);
  std::vector<Result<std::optional<std::string>>> values(parts.keys.size(), std::optional<std::string>());
  const auto problem =
      each_concurrently(values, [&](size_t i) { return client_->get_value(parts.keys[i], stop, &left); });
  if (left < 0) return Error{fmt::format("the state \"{}\" is too large", name())};
  if (problem) return *problem;
  for (const Result<std::optional<std::string>>& value : values) {
    if (!*value) return std::optional<std::string>();
    out += **value;
  }
  return std::optional(std::move(out));
}

Result<std::optional<Content>> ConsulPlace::get(Arrival* /*arrival*/, bool always) {
  const Stop stop = always ? nullptr : client_->stop();
  for (int n = 0;; ++n) {
    Result<std::optional<Entry>> there = client_->get(key_, stop);
    if (!there) return there.error();
    hash_.clear();
    if (!*there) return std::optional<Content>();
    Content out{std::move((*there)->value), std::to_string((*there)->index)};
    const std::optional<Parts> parts = parts_in(out.bytes);
    if (parts) {
      Result<std::optional<std::string>> whole = together(*parts, stop);
      if (!whole) return whole.error();
      if (!*whole && n < kMoved) continue;  // another writer replaces them
      if (!*whole) return Error{fmt::format("parts of the state \"{}\" do not exist", name())};
      out.bytes = std::move(**whole);
      hash_ = parts->hash;
    }
    if (is_gzip(out.bytes)) {
      Result<std::string> plain = gunzip(out.bytes);
      if (!plain)
        return Error{fmt::format("the contents of the state \"{}\" {}", name(), plain.error().message)};
      out.bytes = std::move(*plain);
    }
    if (parts && hex_encode(digest(Digest::Md5, out.bytes)) != parts->hash)
      return Error{fmt::format(
          "the parts of the state \"{}\" do not have the checksum that was recorded with them", name())};
    return std::optional(std::move(out));
  }
}

Result<std::optional<std::string>> ConsulPlace::version() {
  const Result<std::optional<Entry>> there = client_->get(key_, client_->stop());
  if (!there) return there.error();
  return *there ? std::optional(std::to_string((*there)->index)) : std::nullopt;
}

Result<ConsulClient::Stored> ConsulPlace::store_parts(std::string_view payload, const std::string& hash,
                                                      uint64_t index) {
  std::vector<std::string> keys;
  for (size_t at = 0; at < payload.size(); at += kMost)
    keys.push_back(tree_of(key_, hash) + std::to_string(at / kMost));
  std::vector<Result<bool>> done(keys.size(), false);
  if (const auto problem = each_concurrently(
          done, [&](size_t i) { return client_->put(keys[i], payload.substr(i * kMost, kMost)); }))
    return *problem;
  const Json link = {{"chunks", keys}, {"current-hash", hash}};
  return client_->store(key_, link.dump(-1, ' ', false, Json::error_handler_t::replace), index);
}

// Parts that no key came to list, unless another writer's lists them.
void ConsulPlace::remove_unused(const std::string& hash) {
  const Result<std::optional<Entry>> there = client_->get(key_);
  if (!there) return;
  const std::optional<Parts> parts = *there ? parts_in((*there)->value) : std::nullopt;
  if (!parts || parts->hash != hash) (void)client_->remove(tree_of(key_, hash), "recurse=");
}

Result<Place::Put> ConsulPlace::put(std::string_view bytes, const std::optional<std::string>& version) {
  uint64_t index = 0;
  if (version) (void)std::from_chars(version->data(), version->data() + version->size(), index);
  std::string packed;
  if (client_->settings().gzip) {
    Result<std::string> made = gzip(bytes);
    if (!made) return Error{fmt::format("the state \"{}\": {}", name(), made.error().message)};
    packed = std::move(*made);
  }
  const std::string_view payload = packed.empty() ? bytes : std::string_view(packed);
  const std::string hash = hex_encode(digest(Digest::Md5, bytes));
  using End = ConsulClient::Stored::End;
  bool whole = payload.size() / 3 * 4 + key_.size() + 100 < kMost;
  Result<ConsulClient::Stored> done = ConsulClient::Stored{End::TooLarge, 0};
  if (whole) done = client_->store(key_, payload, index);
  if (done && done->end == End::TooLarge) {
    whole = false;
    done = store_parts(payload, hash, index);
  }
  if (!done) return done.error();
  if (done->end == End::TooLarge)
    return Error{
        fmt::format("the list of the parts of the state \"{}\" is too large for the server", name())};
  if (done->end == End::Conflict) {
    if (!whole) remove_unused(hash);
    return Put{true, {}};
  }
  // What is left behind costs space only.
  if (!hash_.empty() && (whole || hash_ != hash)) (void)client_->remove(tree_of(key_, hash_), "recurse=");
  hash_ = whole ? "" : hash;
  return Put{false, std::to_string(done->index)};
}

}  // namespace

std::unique_ptr<Place> make_place(std::shared_ptr<ConsulClient> client, std::string key) {
  return std::make_unique<ConsulPlace>(std::move(client), std::move(key));
}

Result<void> remove_place(const std::shared_ptr<ConsulClient>& client, const std::string& key) {
  const Result<std::optional<Entry>> there = client->get(key);
  if (!there) return there.error();
  if (const Result<bool> gone = client->remove(key); !gone) return gone.error();
  const std::optional<Parts> parts = *there ? parts_in((*there)->value) : std::nullopt;
  if (!parts) return {};
  const Result<bool> gone = client->remove(tree_of(key, parts->hash), "recurse=");
  return gone ? Result<void>() : gone.error();
}

}  // namespace xplan::backend::consul
