// Access tokens of service accounts, users and machines, and of accounts that are impersonated.
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/shown_text.h"
#include "core/cloud/aws_signature.h"
#include "core/cloud/google_client.h"
#include "core/cloud/google_sources.h"
#include "core/cloud/signing.h"
#include "core/cloud/time.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr int64_t kLongest = 366 * 86400;  // that a token may live, whatever an answer says

// RSA with SHA-256; empty: the key is not one for it.
std::string sign_with_pem(const std::string& pem, std::string_view text) {
  std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                          BIO_free);
  if (!bio) return {};
  // Without this, OpenSSL asks for the passphrase of an encrypted key on the terminal.
  const auto no_passphrase = [](char*, int, int, void*) { return 0; };
  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr), EVP_PKEY_free);
  return sign_rs256(key.get(), text);
}

std::string token_url(const Json& credentials) {
  const std::string given = string_in(credentials, "token_uri");
  return given.empty() ? "https://oauth2.googleapis.com/token" : given;
}

// When the token of an answer ends; 0: it does not say.
int64_t end_in(const Json& answer) {
  if (const std::string text = string_in(answer, "expireTime"); !text.empty())
    return parse_timestamp(text).value_or(0);
  const Json* seconds = member(answer, "expires_in");
  if (!seconds || !seconds->is_number()) return 0;
  const double n = seconds->get<double>();
  return n > 0 ? unix_now() + static_cast<int64_t>(std::min<double>(n, kLongest)) : 0;
}

}  // namespace

std::string joined(const Scopes& scopes, char between) {
  std::string out;
  for (const std::string& s : scopes) out += (out.empty() ? "" : std::string(1, between)) + s;
  return out;
}

bool safe_for_secrets(const std::string& url) {
  return net::uses_https(url) || (net::uses_http(url) && net::on_this_machine(url));
}

Error unsafe_url(const char* member_name, const std::string& from) {
  return Error{fmt::format("the \"{}\" of {} must be an https URL", member_name, from)};
}

net::Request google_form(const std::string& url, const Form& fields) {
  net::Request r;
  r.method = "POST";
  r.url = url;
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  r.body = "";
  for (const auto& [name, value] : fields)
    *r.body += (r.body->empty() ? "" : "&") + name + "=" + aws_escape(value);
  return r;
}

Result<GoogleAccess> ask_google(const GoogleAsking& a, net::Request r, const std::string& whom) {
  r.limits.body = 1 << 20;
  r.follow = false;
  if (r.retry.times == 0) r.retry = google_retries();
  r.stop = a.stop;
  Result<net::Answer> answer = a.client.send(r);
  if (r.body) wipe(*r.body);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return Error{
        fmt::format("{} refused to give an access token: {}", shown_text(whom), google_failure(*answer))};
  const Result<Json> body = parse_document(answer->body);
  wipe(answer->body);
  std::string token = body ? string_in(*body, "access_token") : std::string();
  if (token.empty() && body) token = string_in(*body, "accessToken");
  if (token.empty()) return Error{fmt::format("the response from {} has no access token", shown_text(whom))};
  return GoogleAccess{Secret(std::move(token)), "", end_in(*body)};
}

Result<GoogleAccess> access_of_service_account(const GoogleAsking& a, const GoogleDocument& d,
                                               const Scopes& scopes) {
  const std::string url = token_url(d.json), key_id = string_in(d.json, "private_key_id");
  if (!safe_for_secrets(url)) return unsafe_url("token_uri", d.from);
  const int64_t now = unix_now() - 10;  // clocks differ
  Json header = {{"alg", "RS256"}, {"typ", "JWT"}};
  if (!key_id.empty()) header["kid"] = key_id;
  const Json claims = {{"iss", string_in(d.json, "client_email")},
                       {"scope", joined(scopes, ' ')},
                       {"aud", url},
                       {"iat", now},
                       {"exp", now + 3600}};
  const std::string text =
      base64url_encode(document_text(header)) + "." + base64url_encode(document_text(claims));
  std::string pem = string_in(d.json, "private_key");
  const std::string signature = sign_with_pem(pem, text);
  wipe(pem);
  if (signature.empty()) return Error{fmt::format("the \"private_key\" of {} is not an RSA key", d.from)};
  return ask_google(a,
                    google_form(url, {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                                      {"assertion", text + "." + base64url_encode(signature)}}),
                    url);
}

Result<GoogleAccess> access_of_user(const GoogleAsking& a, const GoogleDocument& d) {
  const std::string url = token_url(d.json);
  if (!safe_for_secrets(url)) return unsafe_url("token_uri", d.from);
  return ask_google(a,
                    google_form(url, {{"grant_type", "refresh_token"},
                                      {"client_id", string_in(d.json, "client_id")},
                                      {"client_secret", string_in(d.json, "client_secret")},
                                      {"refresh_token", string_in(d.json, "refresh_token")}}),
                    url);
}

Result<GoogleAccess> access_of_machine(const GoogleAsking& a, const Scopes& scopes) {
  const std::string host = a.settings.variable("GCE_METADATA_HOST");
  net::Request r;
  r.url = fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/default/token?scopes={}",
                      host.empty() ? "169.254.169.254" : host, aws_escape(joined(scopes, ',')));
  r.headers = {{"Metadata-Flavor", "Google"}};
  r.failure = "failed to reach the metadata service at";
  r.direct = true;
  r.limits.connect = 1;
  r.limits.whole = 10;
  r.retry.times = 2;
  return ask_google(a, std::move(r), "the metadata service");
}

std::string impersonation_url(const GoogleAsking& a, const std::string& account) {
  std::string base = a.settings.variable("CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS");
  if (base.empty()) base = "https://iamcredentials." + a.settings.universe + "/";
  return base + "v1/projects/-/serviceAccounts/" + aws_escape(account) + ":generateAccessToken";
}

Result<GoogleAccess> impersonate(const GoogleAsking& a, const Impersonation& i, const GoogleAccess& by,
                                 const Scopes& scopes) {
  net::Request r;
  r.method = "POST";
  r.url = i.url;
  r.headers = {{"Content-Type", "application/json"}};
  authorize(r, by);
  Json body = {{"scope", scopes}, {"lifetime", fmt::format("{}s", i.seconds)}};
  if (!i.delegates.empty()) body["delegates"] = i.delegates;
  r.body = document_text(body);
  return ask_google(a, std::move(r), i.whom);
}

}  // namespace xplan::cloud
