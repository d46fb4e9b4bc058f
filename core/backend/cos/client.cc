// Requests for objects and tags.
#include "core/backend/cos/client.h"

#include <fmt/format.h>

#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/json_writer.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_answer.h"
#include "core/cloud/listing.h"
#include "core/cloud/xml.h"

namespace xplan::backend::cos {
namespace {

constexpr int kPages = 10'000, kReads = 3;
constexpr const char* kTag = "tencentcloud-terraform-lock";

std::string tag_of(const std::string& value) {
  JsonWriter w;
  w.begin_object();
  w.member("TagKey", kTag);
  w.member("TagValue", value);
  w.end_object();
  return w.take();
}

}  // namespace

cloud::CosCall CosClient::call(const char* method, const std::string& name) const {
  cloud::CosCall out;
  out.method = method, out.base = settings_.base, out.name = name;
  return out;
}

Result<net::Answer> CosClient::send(const cloud::CosCall& c, uint64_t limit, net::Ending stop,
                                    std::atomic<int64_t>* left) {
  net::Limits limits;
  limits.body = limit, limits.together = left;
  return client_.send(c, limits, stop);
}

Error CosClient::failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
                        net::Ending stop) const {
  if (!a && stopped(stop)) return interrupted();
  const std::string begin = fmt::format("failed to {} \"{}\": ", what, shown_text(shown(name)));
  if (!a) return Error{begin + a.error().message};
  const std::string code = cloud::failure_of(*a).code;
  if (code == "NoSuchBucket")
    return Error{
        fmt::format("the bucket \"{}\" does not exist in the region \"{}\"; create it first, or correct the "
                    "arguments \"bucket\" and \"region\"",
                    settings_.bucket, settings_.tencent.region)};
  const std::string help =
      code == "AccessDenied"
          ? "; the credentials need permission for that, and to list the objects of the bucket"
          : "";
  return Error{begin + "the server answered " + cloud::describe_failure(*a) + help};
}

Result<std::optional<CosObject>> CosClient::get(const std::string& name, net::Ending stop,
                                                std::atomic<int64_t>* left) {
  for (int n = 0;; ++n) {
    Result<net::Answer> a = send(call("GET", name), kLargestState, stop, left);
    if (a && a->status == 404 && cloud::failure_of(*a).code != "NoSuchBucket")
      return std::optional<CosObject>();
    if (!a || a->status != 200) return failed("read", name, a, stop);
    const std::string md5 = hex_encode(digest(Digest::Md5, a->body));
    const auto said = a->headers.find("x-cos-meta-md5");
    if (said == a->headers.end() || said->second == md5)
      return std::optional(CosObject{std::move(a->body), md5});
    if (n == kReads)
      return Error{
          fmt::format("failed to read \"{}\": the received data does not match the checksum that was "
                      "written with it",
                      shown(name))};
    if (left) *left += static_cast<int64_t>(a->body.size());
  }
}

// An answer without a body does not say what is wrong: whoever reads the object is told.
Result<std::optional<std::string>> CosClient::told_md5(const std::string& name) {
  const Result<net::Answer> a = send(call("HEAD", name), kLargestState, nullptr);
  if (!a || a->status >= 500) return failed("look at", name, a);
  const auto said = a->headers.find("x-cos-meta-md5");
  if (a->status != 200 || said == a->headers.end()) return std::optional<std::string>();
  return std::optional(said->second);
}

Result<bool> CosClient::has_md5(const std::string& name, const std::string& md5) {
  const Result<std::optional<std::string>> told = told_md5(name);
  return told ? Result<bool>(*told == md5) : told.error();
}

Result<void> CosClient::put(const std::string& name, std::string_view bytes, net::Ending stop) {
  cloud::CosCall c = call("PUT", name);
  const std::string md5 = digest(Digest::Md5, bytes);
  c.headers = {{"Content-Type", "application/json"},
               {"Content-MD5", base64_encode(md5)},
               {"x-cos-meta-md5", hex_encode(md5)},
               {"x-cos-acl", settings_.acl}};
  if (settings_.encrypt) c.headers["x-cos-server-side-encryption"] = "AES256";
  c.body = std::string(bytes), c.patience = kWritePatience;
  const Result<net::Answer> a = send(c, 1 << 20, stop);
  return a && a->status == 200 ? Result<void>() : failed("write", name, a, stop);
}

Result<void> CosClient::remove(const std::string& name, bool* unsure, net::Ending stop) {
  cloud::CosCall c = call("DELETE", name);
  c.once = unsure != nullptr;
  const Result<net::Answer> a = send(c, 1 << 20, stop);
  if (unsure) *unsure = !a || a->status == 429 || a->status >= 500;
  const bool gone = a && (a->status < 300 || (a->status == 404 && cloud::failure_of(*a).code == "NoSuchKey"));
  return gone ? Result<void>() : failed("delete", name, a, stop);
}

Result<std::vector<std::string>> CosClient::list(const std::string& prefix, net::Ending stop) {
  cloud::Listing out;
  std::string marker, last;
  const std::string what = "list the objects of";
  for (int page = 0; page < kPages; ++page) {
    cloud::CosCall c = call("GET", "");
    c.query = {{"max-keys", "1000"}, {"prefix", prefix}};
    if (!marker.empty()) c.query["marker"] = marker;
    const Result<net::Answer> a = send(c, 16 << 20, stop);
    if (!a || a->status != 200) return failed(what, prefix, a, stop);
    const auto xml = cloud::parse_xml(a->body);
    if (!xml || xml->name != "ListBucketResult")
      return Error{fmt::format("failed to {} \"{}\": the response {}", what, shown(prefix),
                               xml ? "is not a list of objects" : xml.error().message)};
    for (const cloud::Xml& x : xml->children)
      if (std::string key = x.name == "Contents" ? x.at("Key") : ""; key.starts_with(prefix))
        out.add(last = std::move(key));
    if (xml->at("IsTruncated") != "true") return out.take();
    std::string next = xml->at("NextMarker");
    if (next.empty()) next = last;
    if (next <= marker || !out.goes_on(next)) break;
    marker = std::move(next);
  }
  return Error{
      fmt::format("failed to {} \"{}\": the server keeps returning further pages", what, shown(prefix))};
}

Result<TagChange> CosClient::tag(const char* action, const std::string& value, std::string_view harmless,
                                 net::Ending stop) {
  const Result<cloud::TencentReply> reply = client_.ask("tag", "2018-08-13", action, tag_of(value), stop);
  if (!reply) return reply.error();
  if (reply->refused.empty()) return TagChange::Done;
  if (reply->refused == harmless) return reply->repeated ? TagChange::Unsure : TagChange::Not;
  return Error{reply->text};
}

std::string CosClient::shown_tag(const std::string& value) {
  return fmt::format("the tag \"{}\" with the value \"{}\"", kTag, value);
}

Result<TagChange> CosClient::add_tag(const std::string& value, net::Ending stop) {
  return tag("CreateTag", value, "ResourceInUse.TagDuplicate", stop);
}

Result<TagChange> CosClient::remove_tag(const std::string& value, net::Ending stop) {
  return tag("DeleteTag", value, "ResourceNotFound.TagNonExist", stop);
}

}  // namespace xplan::backend::cos
