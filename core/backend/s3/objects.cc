// Objects of the bucket: reading with checksums, writing with conditions, listing.
#include <fmt/format.h>

#include <algorithm>

#include "core/backend/concurrent.h"
#include "core/backend/limits.h"
#include "core/backend/s3/client.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/aws_bucket.h"

namespace xplan::backend::s3 {
namespace {

constexpr int kPages = 10'000;

std::string header_of(const net::Answer& a, const char* name) {
  const auto it = a.headers.find(name);
  return it == a.headers.end() ? std::string() : it->second;
}

bool is_precondition(int status) {
  return status == 412 || status == 409;
}

}  // namespace

Result<std::optional<S3Object>> S3Client::get(const std::string& key, net::Ending stop,
                                              std::atomic<int64_t>* left, Arrival* arrival) {
  for (int n = 0;; ++n) {
    net::Request r = request("GET", key);
    r.limits.together = left, r.arrival = arrival;
    if (settings_.checksums) r.headers.emplace_back("X-Amz-Checksum-Mode", "ENABLED");
    add_encryption(r, false);
    Result<net::Answer> a = send(std::move(r), "s3", stop);
    if (!a)
      return stopped(stop) ? interrupted()
                           : Error{"failed to read \"" + shown(key) + "\": " + a.error().message};
    if (a->status == 404 && cloud::failure_of(*a).code != "NoSuchBucket") return std::optional<S3Object>();
    if (a->status != 200) return refused("read", shown(key), *a);
    const std::string sum = header_of(*a, "x-amz-checksum-sha256");
    // Sums of objects that were written in parts end in their number.
    if (!settings_.checksums || sum.empty() || sum.find('-') != sum.npos ||
        sum == base64_encode(digest(Digest::Sha256, a->body)))
      return std::optional(S3Object{std::move(a->body), header_of(*a, "etag")});
    if (n >= std::min(settings_.retries, 3))
      return Error{fmt::format(
          "failed to read \"{}\": the received data does not match the checksum sent by the server",
          shown(key))};
    if (left) *left += static_cast<int64_t>(a->body.size());
  }
}

Result<bool> S3Client::is_there(const std::string& key, std::string_view bytes, std::string& etag,
                                net::Ending stop) {
  Result<std::optional<S3Object>> there = get(key, stop);
  if (!there) return there.error();
  if (!*there || (*there)->bytes != bytes) return false;
  etag = (*there)->etag;
  return true;
}

// A conflict that can be seen, with what is there; nothing: there is none. Answers to HEAD have no body that
// says what is wrong, so whatever it is, reading the object tells.
Result<std::optional<S3Put>> S3Client::look(const std::string& key, const S3Condition& condition,
                                            net::Ending stop) {
  const bool absent = condition.kind == S3Condition::Kind::Absent;
  net::Request r = request("HEAD", key);
  add_encryption(r, false);
  const Result<net::Answer> a = send(std::move(r), "s3", stop);
  if (!a) return Error{"failed to look at \"" + shown(key) + "\": " + a.error().message};
  if (absent && a->status == 404) return std::optional<S3Put>();
  std::optional<std::string> etag;
  if (a->status == 200) {
    etag = header_of(*a, "etag");
  } else {
    Result<std::optional<S3Object>> there = get(key, stop);
    if (!there) return there.error();
    if (*there) etag = std::move((*there)->etag);
  }
  const bool fits = absent ? !etag : etag == condition.etag;
  return fits ? std::optional<S3Put>() : std::optional(S3Put{true, etag.value_or("")});
}

void S3Client::add_condition(net::Request& r, const S3Condition& condition, Form form) {
  std::string_view etag = condition.etag;
  if (form == Form::Bare && etag.size() >= 2 && etag.starts_with('"')) etag = etag.substr(1, etag.size() - 2);
  if (condition.kind == S3Condition::Kind::Absent)
    r.headers.emplace_back("If-None-Match", "*");
  else
    r.headers.emplace_back("If-Match", etag);
}

// AWS compares atomically. Other servers may ignore conditions, answer that they do not implement them, or
// know ETags without their quotes only: with an endpoint of its own, what is there is looked at right before,
// so that only what happens between the two requests goes unnoticed there, and a conflict that cannot be seen
// is the server's. Without that look, nothing is written unless the server compares. When an attempt was lost
// on its way, or a later one finds the condition false because an earlier one was carried out, what is there
// tells.
Result<S3Put> S3Client::put(const std::string& key, std::string_view bytes, const S3Condition& condition,
                            const std::string& tags, net::Ending stop) {
  const bool conditional = condition.kind != S3Condition::Kind::Any;
  const bool looks = conditional && !settings_.s3_endpoint.empty();
  if (looks) {
    const Result<std::optional<S3Put>> seen = look(key, condition, stop);
    if (!seen) return seen.error();
    if (*seen) return **seen;
  }
  net::Request r = request("PUT", key);
  r.patience = kWritePatience;
  r.body = std::string(bytes);
  r.headers.emplace_back("Content-Type", "application/json");
  if (settings_.checksums) {
    r.headers.emplace_back("X-Amz-Checksum-Sha256", base64_encode(digest(Digest::Sha256, bytes)));
    r.headers.emplace_back("X-Amz-Sdk-Checksum-Algorithm", "SHA256");
  }
  if (!tags.empty()) r.headers.emplace_back("X-Amz-Tagging", tags);
  if (!settings_.acl.empty()) r.headers.emplace_back("X-Amz-Acl", settings_.acl);
  add_encryption(r, true);
  for (;;) {
    net::Request now = r;
    const Form form = form_;
    const bool compares = conditional && form != Form::None;
    if (compares) add_condition(now, condition, form);
    const Result<net::Answer> a = send(std::move(now), "s3", stop);
    if (a && a->status >= 200 && a->status < 300) return S3Put{false, header_of(*a, "etag")};
    if (a && a->status == 501 && compares && looks) {
      form_ = Form::None;
      continue;
    }
    const bool compared = a && compares && (is_precondition(a->status) || a->status == 404) &&
                          cloud::failure_of(*a).code != "NoSuchBucket";
    if (compared || !a || a->status >= 500) {
      std::string etag;
      const Result<bool> done = is_there(key, bytes, etag, stop);
      if (done && *done) return S3Put{false, etag};
      if (!done && compared) return done.error();
    }
    if (compared) {
      const Result<std::optional<S3Put>> seen = looks && condition.kind == S3Condition::Kind::Match
                                                    ? look(key, condition, stop)
                                                    : std::optional(S3Put{true, {}});
      if (!seen) return seen.error();
      if (*seen) return **seen;
      form_ = form == Form::Quoted ? Form::Bare : Form::None;
      continue;
    }
    if (!a) return Error{"failed to write \"" + shown(key) + "\": " + a.error().message};
    return refused("write", shown(key), *a);
  }
}

// A server that answers that the condition does not hold, although it does, cannot compare, or not in this
// form; what it does with conditions of deletions says nothing about those of writes.
Result<void> S3Client::remove(const std::string& key, const std::string& etag, bool* unsure,
                              net::Ending stop) {
  const S3Condition condition{S3Condition::Kind::Match, etag};
  for (Form form = etag.empty() ? Form::None : form_.load();;) {
    net::Request r = request("DELETE", key);
    r.once = unsure != nullptr;
    if (form != Form::None) add_condition(r, condition, form);
    const Result<net::Answer> a = send(std::move(r), "s3", stop);
    if (a && form != Form::None && a->status == 501) {
      form = Form::None;
      continue;
    }
    if (a && form != Form::None && a->status == 412) {
      const Result<std::optional<S3Put>> seen = look(key, condition, stop);
      if (!seen) return seen.error();
      if (*seen && (*seen)->etag.empty()) return {};  // an attempt whose answer was lost has deleted it
      if (*seen)
        return Error{fmt::format("\"{}\" was not deleted, because somebody else has just changed it",
                                 shown_text(shown(key)))};
      form = form == Form::Quoted ? Form::Bare : Form::None;
      continue;
    }
    if (unsure) *unsure = !a || a->status == 429 || a->status >= 500;
    if (!a) return Error{"failed to delete \"" + shown(key) + "\": " + a.error().message};
    if (a->status >= 300 && !(a->status == 404 && cloud::failure_of(*a).code == "NoSuchKey"))
      return refused("delete", shown(key), *a);
    return {};
  }
}

// What is left says itself why, or goes, where the server does not know requests for many.
Result<void> S3Client::remove_all(const std::vector<std::string>& keys) {
  std::vector<std::string> left;
  for (size_t from = 0; from < keys.size(); from += cloud::kDeletedAtOnce) {
    const auto begin = keys.begin() + static_cast<ptrdiff_t>(from);
    const std::vector<std::string> some(
        begin, begin + static_cast<ptrdiff_t>(std::min(cloud::kDeletedAtOnce, keys.size() - from)));
    const bool many = some.size() > 1;
    const Result<net::Answer> a =
        many ? send(cloud::delete_request(bucket_url(), some), "s3", nullptr) : net::Answer();
    if (!a) return Error{"failed to delete \"" + shown(some.front()) + "\": " + a.error().message};
    const std::vector<std::string> rest = cloud::not_deleted(*a, some);
    left.insert(left.end(), rest.begin(), rest.end());
  }
  return remove_each(left, [&](const std::string& key) { return remove(key); });
}

Result<std::vector<std::string>> S3Client::list(const std::string& prefix, net::Ending stop) {
  cloud::Listing out;
  std::string token;
  const std::string what = "list the objects of";
  for (int page = 0; page < kPages; ++page) {
    const Result<net::Answer> a = send(cloud::list_request(bucket_url(), prefix, token), "s3", stop);
    if (!a)
      return stopped(stop) ? interrupted()
                           : Error{"failed to " + what + " \"" + shown(prefix) + "\": " + a.error().message};
    if (a->status != 200) return refused(what, shown(prefix), *a);
    Result<std::string> next = cloud::read_list_page(*a, prefix, out);
    if (!next)
      return Error{
          fmt::format("failed to {} \"{}\": the response {}", what, shown(prefix), next.error().message)};
    token = std::move(*next);
    if (token.empty()) return out.take();
    if (!out.goes_on(token)) break;
  }
  return Error{
      fmt::format("failed to {} \"{}\": the server keeps returning further pages", what, shown(prefix))};
}

}  // namespace xplan::backend::s3
