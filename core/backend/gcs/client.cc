// Requests: their URLs, the key of their contents, and what is said of failures.
#include "core/backend/gcs/client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/shown_text.h"
#include "core/cloud/aws_signature.h"
#include "core/cloud/google_storage.h"

namespace xplan::backend::gcs {
namespace {

// A text that does not occur in the content that it delimits.
std::string boundary_for(std::string_view bytes) {
  for (uint64_t n = 0;; ++n) {  // as the system may have no random bytes
    std::string out = fmt::format("xplan-{}-{}", hex_encode(random_bytes(16)), n);
    if (bytes.find(out) == bytes.npos) return out;
  }
}

}  // namespace

GcsClient::GcsClient(GcsSettings settings, Stop stop)
    : settings_(std::move(settings)),
      stop_(stop),
      client_(std::move(settings_.google), stop, settings_.anonymous) {}

bool GcsClient::bucket_missing(const net::Answer& a) {
  return a.status == 404 &&
         std::string_view(a.body).substr(0, 4096).find("bucket does not exist") != std::string_view::npos;
}

std::string GcsClient::object_url(const std::string& name) const {
  return cloud::google_object_url(settings_.base, settings_.bucket, name);
}

void GcsClient::add_key(net::Request& r, GcsKey key) const {
  if (key == GcsKey::None || settings_.customer_key.empty()) return;
  r.headers.emplace_back("X-Goog-Encryption-Algorithm", "AES256");
  r.headers.emplace_back("X-Goog-Encryption-Key", base64_encode(settings_.customer_key));
  r.headers.emplace_back("X-Goog-Encryption-Key-Sha256",
                         base64_encode(digest(Digest::Sha256, settings_.customer_key)));
}

net::Request GcsClient::upload(const std::string& name, std::string_view bytes, GcsKey key,
                               const std::optional<std::string>& over) const {
  const size_t path = settings_.base.find('/', settings_.base.find("://") + 3);
  net::Request r;
  r.method = "POST";
  r.url =
      fmt::format("{}/upload/storage/v1/b/{}/o?uploadType=multipart&name={}", settings_.base.substr(0, path),
                  cloud::aws_escape(settings_.bucket), cloud::aws_escape(name));
  if (over) r.url += "&ifGenerationMatch=" + *over;
  if (key == GcsKey::Ours && !settings_.kms_key.empty())
    r.url += "&kmsKeyName=" + cloud::aws_escape(settings_.kms_key);
  const std::string type = "application/json", boundary = boundary_for(bytes);
  Json about = {{"bucket", settings_.bucket}, {"name", name}, {"contentType", type}};
  const std::string sum = digest(Digest::Md5, bytes);
  if (!sum.empty()) about["md5Hash"] = base64_encode(sum);
  r.headers = {{"Content-Type", "multipart/related; boundary=" + boundary}};
  r.body = fmt::format(
      "--{0}\r\nContent-Type: {1}\r\n\r\n{2}\r\n--{0}\r\nContent-Type: {1}\r\n\r\n{3}\r\n--{0}--\r\n",
      boundary, type, document_text(about), bytes);
  add_key(r, key);
  r.limits.body = 1 << 20;
  return r;
}

Result<net::Answer> GcsClient::send(net::Request r, net::Ending stop) {
  r.compressed = false;
  r.path_as_is = true;
  r.stop = stop;
  return client_.send(r);
}

Error GcsClient::failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
                        net::Ending stop) const {
  if (!a && stopped(stop)) return interrupted();
  const std::string begin = fmt::format("failed to {} \"{}\": ", what, shown_text(shown(name)));
  if (!a) return Error{begin + a.error().message};
  if (bucket_missing(*a))
    return Error{
        fmt::format("the bucket \"{}\" does not exist; create it first, or correct the argument \"bucket\"",
                    settings_.bucket)};
  std::string help;
  if (a->status == 401) help = "; the access token is not valid, or has expired";
  if (a->status == 403)
    help = "; the credentials need permission to list, read, create and delete objects of the bucket";
  return Error{begin + "the server answered " + cloud::google_failure(*a) + help};
}

}  // namespace xplan::backend::gcs
