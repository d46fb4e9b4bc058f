// Blobs of the container: reading with checksums, writing with conditions, listing.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/backend/azurerm/client.h"
#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/listing.h"
#include "core/cloud/signing.h"
#include "core/cloud/xml.h"

namespace xplan::backend::azurerm {
namespace {

constexpr int kBlobPages = 10'000, kReads = 3;
constexpr std::string_view kMetadata = "x-ms-meta-";

std::string header_in(const net::Answer& a, const char* name) {
  const auto it = a.headers.find(name);
  return it == a.headers.end() ? std::string() : it->second;
}

AzurermBlob blob_in(net::Answer a) {
  AzurermBlob out;
  out.etag = header_in(a, "etag");
  out.leased = header_in(a, "x-ms-lease-status") == "locked";
  for (auto& [name, value] : a.headers)
    if (name.starts_with(kMetadata)) out.metadata[name.substr(kMetadata.size())] = value;
  const std::string size = header_in(a, "content-length");
  std::from_chars(size.data(), size.data() + size.size(), out.size);
  out.bytes = std::move(a.body);
  return out;
}

bool is_missing(const net::Answer& a) {
  return a.status == 404 && cloud::azure_failure_of(a).code != "ContainerNotFound";
}

void add_metadata(net::Request& r, const Metadata& metadata) {
  for (const auto& [name, value] : metadata) r.headers.emplace_back(std::string(kMetadata) + name, value);
}

std::string md5_of(std::string_view bytes) {
  return base64_encode(digest(Digest::Md5, bytes));
}

}  // namespace

void AzurermClient::add_encryption(net::Request& r, bool writes) const {
  if (!settings_.customer_key.empty()) {
    r.headers.emplace_back("x-ms-encryption-key", base64_encode(settings_.customer_key));
    r.headers.emplace_back("x-ms-encryption-key-sha256",
                           base64_encode(digest(Digest::Sha256, settings_.customer_key)));
    r.headers.emplace_back("x-ms-encryption-algorithm", "AES256");
  }
  if (writes && !settings_.encryption_scope.empty())
    r.headers.emplace_back("x-ms-encryption-scope", settings_.encryption_scope);
}

Result<std::optional<AzurermBlob>> AzurermClient::get(const std::string& key, net::Ending stop,
                                                      std::atomic<int64_t>* left, Arrival* arrival) {
  for (int n = 1;; ++n) {
    net::Request r;
    r.limits.together = left, r.arrival = arrival;
    add_encryption(r, false);
    Result<net::Answer> a = send("GET", key, "", std::move(r), "read", stop);
    if (!a) return a.error();
    if (is_missing(*a)) return std::optional<AzurermBlob>();
    if (a->status != 200) return refused("read", key, *a);
    const std::string sum = header_in(*a, "content-md5");
    if (sum.empty() || sum == md5_of(a->body)) return std::optional(blob_in(std::move(*a)));
    if (n == kReads)
      return Error{fmt::format(
          "failed to read \"{}\": the received data does not match the checksum sent by the server",
          shown(key))};
    if (left) *left += static_cast<int64_t>(a->body.size());
  }
}

Result<std::optional<AzurermBlob>> AzurermClient::look(const std::string& key, net::Ending stop) {
  net::Request r;
  add_encryption(r, false);
  Result<net::Answer> a = send("HEAD", key, "", std::move(r), "look at", stop);
  if (!a) return a.error();
  if (is_missing(*a)) return std::optional<AzurermBlob>();
  if (a->status != 200) return refused("look at", key, *a);
  return std::optional(blob_in(std::move(*a)));
}

Result<bool> AzurermClient::is_there(const std::string& key, std::string_view bytes, std::string& etag,
                                     net::Ending stop) {
  Result<std::optional<AzurermBlob>> there = get(key, stop);
  if (!there) return there.error();
  if (!*there || (*there)->bytes != bytes) return false;
  etag = (*there)->etag;
  return true;
}

// When an attempt was lost on its way, or a later one finds the condition false because an earlier one was
// carried out, what is there tells.
Result<AzurermPut> AzurermClient::put(const std::string& key, std::string_view bytes, const AzurermWrite& how,
                                      net::Ending stop) {
  net::Request r;
  r.patience = kWritePatience;
  r.body = std::string(bytes);
  r.headers = {{"Content-Type", how.type},
               {"x-ms-blob-content-type", how.type},
               {"x-ms-blob-type", "BlockBlob"},
               {"Content-MD5", md5_of(bytes)}};
  if (how.when == AzurermWrite::When::Match) r.headers.emplace_back("If-Match", how.etag);
  if (how.when == AzurermWrite::When::Absent) r.headers.emplace_back("If-None-Match", "*");
  if (!how.lease.empty()) r.headers.emplace_back("x-ms-lease-id", how.lease);
  add_metadata(r, how.metadata);
  add_encryption(r, true);
  const Result<net::Answer> a = send("PUT", key, "", std::move(r), "write", stop);
  if (a && a->status == 201) return AzurermPut{false, header_in(*a, "etag")};
  const std::string code = a ? cloud::azure_failure_of(*a).code : "";
  const bool compared =
      a && (code == "ConditionNotMet" || code == "BlobAlreadyExists" || (a->status == 412 && code.empty()));
  if (compared || !a || a->status >= 500) {
    std::string etag;
    const Result<bool> done = is_there(key, bytes, etag, stop);
    if (done && *done) return AzurermPut{false, etag};
    if (compared) return done ? Result<AzurermPut>(AzurermPut{true, {}}) : done.error();
  }
  return a ? refused("write", key, *a) : a.error();
}

Result<void> AzurermClient::remove(const std::string& key, const std::string& etag) {
  net::Request r;
  r.headers = {{"x-ms-delete-snapshots", "include"}};
  if (!etag.empty()) r.headers.emplace_back("If-Match", etag);
  const Result<net::Answer> a = send("DELETE", key, "", std::move(r), "delete");
  if (!a) return a.error();
  return a->status < 300 || is_missing(*a) ? Result<void>() : refused("delete", key, *a);
}

Result<std::vector<std::string>> AzurermClient::list(const std::string& prefix, net::Ending stop) {
  cloud::Listing out;
  std::string marker;
  const char* doing = "list the blobs of";
  for (int page = 0; page < kBlobPages; ++page) {
    std::string query = "?restype=container&comp=list&maxresults=1000&prefix=" + cloud::uri_escape(prefix);
    if (!marker.empty()) query += "&marker=" + cloud::uri_escape(marker);
    const Result<net::Answer> a = send("GET", "", query.c_str(), {}, doing, stop);
    if (!a) return a.error();
    if (a->status != 200) return refused(doing, prefix, *a);
    const auto xml = cloud::parse_xml(a->body);
    const cloud::Xml* blobs = xml && xml->name == "EnumerationResults" ? xml->child("Blobs") : nullptr;
    if (!blobs)
      return Error{fmt::format("failed to {} \"{}\": the response {}", doing, shown(prefix),
                               xml ? "is not a list of blobs" : xml.error().message)};
    for (const cloud::Xml& x : blobs->children) {
      if (x.name != "Blob" || x.at("Properties/ResourceType") == "directory") continue;
      if (std::string name = x.at("Name"); name.starts_with(prefix)) out.add(std::move(name));
    }
    marker = xml->at("NextMarker");
    if (marker.empty()) return out.take();
    if (!out.goes_on(marker)) break;
  }
  return Error{
      fmt::format("failed to {} \"{}\": the server keeps returning further pages", doing, shown(prefix))};
}

Result<net::Answer> AzurermClient::change(const std::string& key, const char* query, const std::string& lease,
                                          net::Request r, const char* doing, net::Ending stop) {
  r.body = "";
  if (!lease.empty()) r.headers.emplace_back("x-ms-lease-id", lease);
  return send("PUT", key, query, std::move(r), doing, stop);
}

Result<void> AzurermClient::set_metadata(const std::string& key, const Metadata& metadata,
                                         const std::string& lease, net::Ending stop) {
  const char* doing = "change the metadata of";
  net::Request r;
  add_metadata(r, metadata);
  add_encryption(r, true);
  const Result<net::Answer> a = change(key, "?comp=metadata", lease, std::move(r), doing, stop);
  if (!a) return a.error();
  return a->status < 300 ? Result<void>() : refused(doing, key, *a);
}

Result<void> AzurermClient::snapshot(const std::string& key, const std::string& lease) {
  const char* doing = "take a snapshot of";
  net::Request r;
  add_encryption(r, true);
  const Result<net::Answer> a = change(key, "?comp=snapshot", lease, std::move(r), doing);
  if (!a) return a.error();
  return a->status < 300 ? Result<void>() : refused(doing, key, *a);
}

}  // namespace xplan::backend::azurerm
