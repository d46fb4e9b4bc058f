// Objects of the bucket: reading with checksums, writing and deleting by generation, listing.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/backend/gcs/client.h"
#include "core/backend/limits.h"
#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/cloud/aws_signature.h"
#include "core/cloud/crc32c.h"
#include "core/cloud/listing.h"

namespace xplan::backend::gcs {
namespace {

constexpr int kPages = 10'000, kReads = 3;

std::string header_of(const net::Answer& a, const char* name) {
  const auto it = a.headers.find(name);
  return it == a.headers.end() ? std::string() : it->second;
}

// Empty: it is none.
std::string checked_generation(std::string text) {
  const bool digits = text.find_first_not_of("0123456789") == text.npos;
  return digits && text.size() <= 20 ? text : std::string();
}

std::string generation_in(const Json& object) {
  const Json* n = member(object, "generation");
  return n && n->is_number_unsigned() ? std::to_string(n->get<uint64_t>())
                                      : checked_generation(string_in(object, "generation"));
}

// "crc32c=…,md5=…", of what is stored.
bool has_sums(const net::Answer& a) {
  const std::string& encoding = header_of(a, "x-goog-stored-content-encoding");
  if (!encoding.empty() && encoding != "identity") return true;  // then it is that of other bytes
  std::string_view sums = a.headers.count("x-goog-hash") ? a.headers.at("x-goog-hash") : std::string_view();
  while (!sums.empty()) {
    const size_t end = std::min(sums.find(','), sums.size());
    std::string_view one = sums.substr(0, end);
    sums.remove_prefix(std::min(end + 1, sums.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    const std::string md5 = one.starts_with("md5=") ? digest(Digest::Md5, a.body) : "";
    if (!md5.empty() && one.substr(4) != base64_encode(md5)) return false;
    if (one.starts_with("crc32c=") && one.substr(7) != cloud::crc32c_base64(a.body)) return false;
  }
  return true;
}

}  // namespace

Result<Json> GcsClient::metadata(const std::string& name, GcsKey key, net::Ending stop, bool& missing) {
  net::Request r;
  r.url = object_url(name) + "?fields=generation%2Cmd5Hash%2Csize";
  r.limits.body = 1 << 20;
  add_key(r, key);
  const Result<net::Answer> a = send(std::move(r), stop);
  missing = a && a->status == 404 && !bucket_missing(*a);
  if (!a || a->status != 200) return failed("read", name, a, stop);
  Result<Json> doc = parse_document(a->body);
  if (doc && !generation_in(*doc).empty()) return doc;
  return Error{
      fmt::format("failed to read \"{}\": the response from the server has no generation", shown(name))};
}

Result<std::optional<std::string>> GcsClient::generation(const std::string& name, net::Ending stop) {
  bool missing = false;
  const Result<Json> doc = metadata(name, GcsKey::None, stop, missing);
  if (missing) return std::optional<std::string>();
  if (!doc) return doc.error();
  return std::optional(generation_in(*doc));
}

uint64_t GcsClient::size(const std::string& name, Stop stop) {
  bool missing = false;
  const Result<Json> doc = metadata(name, GcsKey::None, stop, missing);
  const std::string text = doc ? string_in(*doc, "size") : "";
  uint64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// The generation comes with the content. Where it does not, because somebody on the way leaves it out, what
// is asked for afterwards must be of the same content.
Result<std::optional<GcsObject>> GcsClient::get(const std::string& name, GcsKey key, net::Ending stop,
                                                std::atomic<int64_t>* left, Arrival* arrival) {
  for (int n = 0;; ++n) {
    net::Request r;
    r.url = object_url(name) + "?alt=media";
    r.limits.body = uint64_t{1} << 30;
    r.limits.together = left, r.arrival = arrival;
    add_key(r, key);
    Result<net::Answer> a = send(std::move(r), stop);
    if (a && a->status == 404 && !bucket_missing(*a)) return std::optional<GcsObject>();
    if (!a || a->status != 200) return failed("read", name, a, stop);
    std::string generation = checked_generation(header_of(*a, "x-goog-generation"));
    bool whole = has_sums(*a), missing = false;
    if (whole && generation.empty()) {
      const Result<Json> doc = metadata(name, key, stop, missing);
      if (!doc && !missing) return doc.error();
      whole = doc && string_in(*doc, "md5Hash") == base64_encode(digest(Digest::Md5, a->body));
      if (whole) generation = generation_in(*doc);
    }
    if (whole) return std::optional(GcsObject{std::move(a->body), std::move(generation)});
    if (n == kReads)
      return Error{fmt::format(
          "failed to read \"{}\": the received data does not match the checksum sent by the server",
          shown(name))};
    if (left) *left += static_cast<int64_t>(a->body.size());
  }
}

// When an attempt was lost on its way, or a later one finds another generation because an earlier one was
// carried out, what is there tells.
Result<GcsPut> GcsClient::put(const std::string& name, std::string_view bytes, GcsKey key,
                              const std::optional<std::string>& over, net::Ending stop) {
  net::Request r = upload(name, bytes, key, over);
  r.patience = kWritePatience;
  const Result<net::Answer> a = send(std::move(r), stop);
  if (a && a->status == 200) {
    const Result<Json> doc = parse_document(a->body);
    if (std::string generation = doc ? generation_in(*doc) : ""; !generation.empty())
      return GcsPut{false, std::move(generation)};
  }
  const bool compared = a && over && a->status == 412;
  if (!a || a->status == 200 || a->status >= 500 || compared) {
    Result<std::optional<GcsObject>> there = get(name, key, stop);
    if (there && *there && (*there)->bytes == bytes) return GcsPut{false, (*there)->generation};
    if (compared) return there ? Result<GcsPut>(GcsPut{true, {}}) : there.error();  // it may be our own
  }
  if (a && a->status == 200)
    return Error{
        fmt::format("failed to write \"{}\": the response from the server has no generation", shown(name))};
  return failed("write", name, a, stop);
}

Result<GcsRemoved> GcsClient::remove(const std::string& name, const std::optional<std::string>& generation,
                                     net::Ending stop) {
  net::Request r;
  r.method = "DELETE";
  r.url = object_url(name) + (generation ? "?ifGenerationMatch=" + *generation : "");
  r.limits.body = 1 << 20;
  const Result<net::Answer> a = send(std::move(r), stop);
  if (!a) return failed("delete", name, a, stop);
  if (a->status == 200 || a->status == 204) return GcsRemoved::Yes;
  if (a->status == 412 && generation) return GcsRemoved::Conflict;
  if (a->status == 404) return GcsRemoved::Missing;
  return failed("delete", name, a);
}

Result<std::vector<std::string>> GcsClient::list(const std::string& prefix, net::Ending stop) {
  cloud::Listing out;
  std::string token;
  for (int page = 0; page < kPages; ++page) {
    net::Request r;
    r.url = object_url("") +
            "?delimiter=%2F&fields=items(name)%2CnextPageToken&prefix=" + cloud::aws_escape(prefix);
    if (!token.empty()) r.url += "&pageToken=" + cloud::aws_escape(token);
    r.limits.body = 16 << 20;
    const Result<net::Answer> a = send(std::move(r), stop);
    if (!a || a->status != 200) return failed("list the objects of", prefix, a, stop);
    const Result<Json> doc = parse_document(a->body);
    if (!doc)
      return Error{fmt::format("failed to list the objects of \"{}\": the response {}", shown(prefix),
                               doc.error().message)};
    if (const Json* items = list_in(*doc, "items"))
      for (const Json& item : *items)
        if (std::string name = string_in(item, "name");
            name.starts_with(prefix) && name.find('/', prefix.size()) == name.npos)
          out.add(std::move(name));
    token = string_in(*doc, "nextPageToken");
    if (token.empty()) return out.take();
    if (!out.goes_on(token)) break;
  }
  return Error{fmt::format("failed to list the objects of \"{}\": the server keeps returning further pages",
                           shown(prefix))};
}

}  // namespace xplan::backend::gcs
