// The arguments of the backend "gcs", and how they are read. Other tools hash blocks, so the table has
// exactly their arguments, and OpenTofu's additions.
#include "core/backend/gcs/settings.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/backend/arguments.h"
#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/cloud/google_storage.h"
#include "core/net/url.h"

namespace xplan::backend::gcs {
namespace {

Type strings() {
  return Type::list(Type::string());
}

constexpr Argument kArguments[] = {
    {"access_token", Type::string, "GOOGLE_OAUTH_ACCESS_TOKEN", {}, true},
    {"bucket", Type::string, {}, {}, false, "The Cloud Storage bucket in which the state is kept"},
    {"credentials", Type::string, "GOOGLE_BACKEND_CREDENTIALS GOOGLE_CREDENTIALS", {}, true},
    {"encryption_key", Type::string, "GOOGLE_ENCRYPTION_KEY", {}, true},
    {"impersonate_service_account", Type::string,
     "GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT GOOGLE_IMPERSONATE_SERVICE_ACCOUNT"},
    {"impersonate_service_account_delegates", strings},
    {"kms_encryption_key", Type::string, "GOOGLE_KMS_ENCRYPTION_KEY"},
    {"prefix"},
    {"storage_custom_endpoint", Type::string,
     "GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT GOOGLE_STORAGE_CUSTOM_ENDPOINT"},
    {"universe_domain", Type::string, "GOOGLE_BACKEND_UNIVERSE_DOMAIN"},
};

constexpr size_t kLongestPrefix = 900;  // names of objects have at most 1024 bytes

std::string variable(const char* name) {
  const char* said = std::getenv(name);
  return said ? said : "";
}

// Without slashes around it, "." and "..", as the reference tools write names of objects.
Result<std::string> prefix_of(std::string_view said) {
  said.remove_prefix(std::min(said.find_first_not_of('/'), said.size()));
  const std::string out = said.empty() ? std::string() : clean_path(said);
  if (net::has_controls(out)) return Error{"must not contain control characters"};
  if (out == ".." || out.starts_with("../")) return Error{"must not begin with \"..\""};
  if (out.size() > kLongestPrefix) return Error{fmt::format("must have at most {} bytes", kLongestPrefix)};
  return out == "." ? std::string() : out;
}

// Base64, or the path of a file with it.
Result<std::string> customer_key(std::string said) {
  const std::string path = said.starts_with("~/") ? variable("HOME") + said.substr(1) : said;
  if (!net::has_controls(path) && real_fs().exists(path)) {
    Result<std::string> text = read_given(path, nullptr);
    if (!text) return Error{"is a file that cannot be read: " + text.error().message};
    said = std::move(*text);
  }
  std::string raw;
  if (base64_decode(std::string(trimmed(said)), raw) && raw.size() == 32) return raw;
  return Error{"must be the base64 form of 32 bytes, or the path of a file that contains it"};
}

// Where the service's URLs begin. Whatever the endpoint's path says behind its last slash is left out, so
// that it may end in "/storage/v1/b", as the documentation of private endpoints has it.
Result<std::string> base_of(const std::string& endpoint) {
  const bool fine = (net::uses_https(endpoint) || net::uses_http(endpoint)) &&
                    !net::host_and_port(endpoint).empty() && !net::has_controls(endpoint) &&
                    endpoint.find_first_of("?#@") == endpoint.npos;
  if (!fine)
    return Error{
        "must be a URL with a scheme and a host, such as https://storage-xyz.p.googleapis.com/storage/v1/b"};
  const size_t path = endpoint.find('/', endpoint.find("://") + 3);
  return path == endpoint.npos ? endpoint + "/" : endpoint.substr(0, endpoint.rfind('/') + 1);
}

}  // namespace

const schema::Block& gcs_schema() {
  static const schema::Block block = schema_of(kArguments);
  return block;
}

Result<GcsSettings> read_settings(const Value& settings) {
  const Arguments a(kArguments, settings);
  GcsSettings out;
  auto wrong = [](std::string_view name, const std::string& problem) {
    return Error{fmt::format("the argument \"{}\" {}", name, problem)};
  };
  out.bucket = a.text("bucket");
  if (const std::string missing = a.missing({"bucket"}); !missing.empty()) return Error{missing};
  if (out.bucket.find('/') != out.bucket.npos || net::has_controls(out.bucket))
    return wrong("bucket", "must be the name of a bucket");
  Result<std::string> prefix = prefix_of(a.text("prefix"));
  if (!prefix) return wrong("prefix", prefix.error().message);
  out.prefix = std::move(*prefix);
  out.kms_key = a.text("kms_encryption_key");
  if (net::has_controls(out.kms_key))
    return wrong("kms_encryption_key", "must not contain control characters");
  const std::string key = a.text("encryption_key");
  const bool both = !a.value("encryption_key").is_null() && !a.value("kms_encryption_key").is_null();
  if (!key.empty() || both) {
    if (!out.kms_key.empty() || both)
      return Error{
          "the arguments \"encryption_key\" (or GOOGLE_ENCRYPTION_KEY) and \"kms_encryption_key\" (or "
          "GOOGLE_KMS_ENCRYPTION_KEY) cannot be used together"};
    Result<std::string> raw = customer_key(key);
    if (!raw) return wrong("encryption_key", raw.error().message);
    out.customer_key = std::move(*raw);
  }
  const std::string universe = a.text("universe_domain");
  if (!universe.empty() && net::host_and_port("https://" + universe) != ascii_lower(universe))
    return wrong("universe_domain", "must be the name of a domain, such as googleapis.com");
  cloud::GoogleStorage storage = cloud::google_storage(variable, universe);
  out.anonymous = storage.anonymous;
  const std::string endpoint = a.text("storage_custom_endpoint");
  Result<std::string> base = endpoint.empty() ? std::move(storage.base) : base_of(endpoint);
  if (!base) return wrong("storage_custom_endpoint", base.error().message);
  out.base = std::move(*base);
  cloud::GoogleSettings& g = out.google;
  if (!universe.empty()) g.universe = universe;
  g.access_token = Secret(a.text("access_token"));
  g.credentials = a.text("credentials");
  g.impersonate = a.text("impersonate_service_account");
  g.delegates = a.list("impersonate_service_account_delegates");
  const std::string scope = "https://www.googleapis.com/auth/devstorage.";
  g.scopes = {scope + "full_control", cloud::kCloudPlatform};
  if (!g.impersonate.empty()) g.scopes = {scope + "read_write"};  // no more than it takes
  g.variable = variable;
  return out;
}

}  // namespace xplan::backend::gcs
