// Requests for objects and rows.
#include "core/backend/oss/client.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/crc64.h"
#include "core/cloud/listing.h"
#include "core/cloud/signing.h"
#include "core/cloud/tablestore_message.h"
#include "core/cloud/xml.h"
#include "core/net/url.h"

namespace xplan::backend::oss {
namespace {

constexpr int kReads = 3;

// An address cannot have the bucket before it.
bool is_address(const std::string& host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.:") == host.npos;
}

// A name in a listing: escaped, with "+" for a space, where the listing says so.
std::string name_in(const cloud::Xml& listing, std::string text) {
  if (listing.at("EncodingType") != "url") return text;
  std::replace(text.begin(), text.end(), '+', ' ');
  return cloud::uri_unescape(text);
}

}  // namespace

// Most regions have their own name in that of the host, but not all.
std::string OssClient::base(net::Ending stop) {
  std::lock_guard lock(mutex_);
  if (host_.empty()) host_ = settings_.host;
  if (host_.empty()) {
    const std::string found = client_.host_of("oss", stop);
    const bool fits = found.ends_with(".aliyuncs.com") && net::host_and_port("https://" + found) == found;
    if (stopped(stop)) return {};
    host_ = fits ? found : "oss-" + settings_.alibaba.region + ".aliyuncs.com";
  }
  return settings_.scheme +
         (is_address(host_) ? host_ + "/" + settings_.bucket : settings_.bucket + "." + host_);
}

Result<net::Answer> OssClient::send(cloud::OssCall c, uint64_t limit, net::Ending stop,
                                    std::atomic<int64_t>* left) {
  c.bucket = settings_.bucket;
  c.base = base(stop);
  if (c.base.empty()) return interrupted();
  net::Limits limits;
  limits.body = limit, limits.together = left;
  return client_.send(c, limits, stop);
}

Error OssClient::failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
                        net::Ending stop) const {
  if (!a && stopped(stop)) return interrupted();
  const std::string begin = fmt::format("failed to {} \"{}\": ", what, shown_text(shown(name)));
  if (!a) return Error{begin + a.error().message};
  const std::string code = cloud::failure_of(*a).code;
  if (code == "NoSuchBucket")
    return Error{fmt::format(
        "the OSS bucket \"{}\" does not exist; create it first, or correct the argument \"bucket\"",
        settings_.bucket)};
  const std::string help =
      code == "AccessDenied"
          ? "; the credentials need permission for that, and to list the objects of the bucket"
          : "";
  return Error{begin + "the server answered " + cloud::describe_failure(*a) + help};
}

Result<std::optional<OssObject>> OssClient::get(const std::string& name, net::Ending stop,
                                                std::atomic<int64_t>* left) {
  for (int n = 0;; ++n) {
    Result<net::Answer> a = send({.name = name}, kLargestState, stop, left);
    if (a && a->status == 404 && cloud::failure_of(*a).code != "NoSuchBucket")
      return std::optional<OssObject>();
    if (!a || a->status != 200) return failed("read", name, a, stop);
    const auto said = a->headers.find("x-oss-hash-crc64ecma");
    if (said == a->headers.end() || said->second == std::to_string(cloud::crc64(a->body))) {
      const std::string md5 = hex_encode(digest(Digest::Md5, a->body));
      return std::optional(OssObject{std::move(a->body), md5});
    }
    if (n == kReads)
      return Error{fmt::format(
          "failed to read \"{}\": the received data does not match the checksum of the object", shown(name))};
  }
}

// Of what was written in one piece, the ETag is the sum. An answer without a body does not say what is wrong:
// whoever reads the object is told.
Result<bool> OssClient::has_md5(const std::string& name, const std::string& md5) {
  const Result<net::Answer> a = send({.method = "HEAD", .name = name}, kLargestState, nullptr);
  if (!a || a->status >= 500) return failed("look at", name, a);
  const auto tag = a->headers.find("etag");
  return a->status == 200 && tag != a->headers.end() && ascii_lower(tag->second) == "\"" + md5 + "\"";
}

// The ACL goes into the header that the reference tools send, x-oss-acl.
Result<void> OssClient::put(const std::string& name, std::string_view bytes, net::Ending stop) {
  cloud::OssCall c;
  c.method = "PUT", c.name = name, c.body = std::string(bytes), c.patience = kWritePatience;
  c.headers = {{"Content-Type", "application/json"},
               {"Content-MD5", base64_encode(digest(Digest::Md5, bytes))}};
  if (!settings_.acl.empty()) c.headers["x-oss-acl"] = settings_.acl;
  if (settings_.encrypt) c.headers["x-oss-server-side-encryption"] = "AES256";
  const Result<net::Answer> a = send(std::move(c), 1 << 20, stop);
  return a && a->status == 200 ? Result<void>() : failed("write", name, a, stop);
}

Result<void> OssClient::remove(const std::string& name) {
  const Result<net::Answer> a = send({.method = "DELETE", .name = name}, 1 << 20, nullptr);
  const bool gone = a && (a->status < 300 || (a->status == 404 && cloud::failure_of(*a).code == "NoSuchKey"));
  return gone ? Result<void>() : failed("delete", name, a);
}

Result<std::vector<std::string>> OssClient::list(const std::string& prefix, net::Ending stop) {
  cloud::Listing out;
  std::string marker;
  const std::string what = "list the objects of";
  do {
    cloud::OssCall c;
    c.query = {{"encoding-type", "url"}, {"max-keys", "1000"}, {"prefix", prefix}};
    if (!marker.empty()) c.query["marker"] = marker;
    const Result<net::Answer> a = send(std::move(c), 16 << 20, stop);
    if (!a || a->status != 200) return failed(what, prefix, a, stop);
    const auto xml = cloud::parse_xml(a->body);
    if (!xml || xml->name != "ListBucketResult")
      return Error{fmt::format("failed to {} \"{}\": the response {}", what, shown(prefix),
                               xml ? "is not a list of objects" : xml.error().message)};
    for (const cloud::Xml& x : xml->children)
      if (std::string name = x.name == "Contents" ? name_in(*xml, x.at("Key")) : ""; name.starts_with(prefix))
        out.add(std::move(name));
    if (xml->at("IsTruncated") != "true") return out.take();
    marker = name_in(*xml, xml->at("NextMarker"));
  } while (out.goes_on(marker));
  return Error{
      fmt::format("failed to {} \"{}\": the server keeps returning further pages", what, shown(prefix))};
}

Result<OssClient::TableAnswer> OssClient::table(const char* action, const std::string& body,
                                                const std::string& row, net::Ending stop) {
  const std::string what =
      fmt::format("failed to access the row \"{}\" of the TableStore table \"{}\" ({}): ", shown_text(row),
                  settings_.table, action);
  const Result<net::Answer> a =
      client_.send(cloud::TableStoreCall{settings_.table_url, settings_.instance, action, body}, stop);
  if (!a) return stopped(stop) ? interrupted() : Error{what + a.error().message};
  if (a->status == 200) return TableAnswer{"", a->body};
  const auto fields = cloud::tablestore::read_message(a->body);
  const auto part = [&](int number) {
    return shown_text(fields ? cloud::tablestore::bytes_of(*fields, number) : std::string_view());
  };
  const std::string code = part(1);
  std::string why = net::status_text(a->status);
  if (!code.empty()) why += fmt::format(" ({}: {})", code, part(2));
  if (code == "OTSObjectNotExist") why += "; create the table first, with the primary key LockID, a string";
  return TableAnswer{code.empty() ? "unknown" : code, what + "the server answered " + why};
}

}  // namespace xplan::backend::oss
