// Finds Google credentials, and exchanges them for access tokens.
#include "core/crypt/google_token.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/fs.h"
#include "core/net/url.h"

namespace xplan::crypt {
namespace {

std::string base64url(std::string_view bytes) {
  std::string out = base64_encode(bytes);
  while (out.ends_with('=')) out.pop_back();
  for (char& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return out;
}

// RSA with SHA-256; empty: the key is not one for it.
std::string rs256(const std::string& pem, std::string_view text) {
  std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                          BIO_free);
  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> ctx(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  size_t size = 0;
  if (!key || !ctx || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA ||
      EVP_DigestSignInit(ctx.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(ctx.get(), nullptr, &size, data, text.size()) != 1)
    return {};
  std::string out(size, '\0');
  if (EVP_DigestSign(ctx.get(), reinterpret_cast<unsigned char*>(out.data()), &size, data, text.size()) != 1)
    return {};
  out.resize(size);
  return out;
}

net::Request form(const std::string& url, const std::vector<std::pair<std::string, std::string>>& fields) {
  net::Request r;
  r.method = "POST";
  r.url = url;
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  r.body.emplace();
  for (const auto& [name, value] : fields)
    *r.body += (r.body->empty() ? "" : "&") + name + "=" + net::escape_path(value);
  return r;
}

std::string token_url(const Json& credentials) {
  const std::string given = string_in(credentials, "token_uri");
  return given.empty() ? "https://oauth2.googleapis.com/token" : given;
}

}  // namespace

void authorize(net::Request& r, const Secret& token) {
  if (net::uses_http(r.url) && net::on_this_machine(r.url))
    r.headers.emplace_back("Authorization", "Bearer " + std::string(token.bytes()));
  else
    r.token = token.bytes();
}

std::string google_failure(const net::Answer& a) {
  std::string out = net::status_text(a.status);
  if (const Result<Json> body = parse_document(a.body)) {
    const Json* error = object_in(*body, "error");
    const std::string said = error ? string_in(*error, "message") : string_in(*body, "error_description");
    if (!said.empty()) out += ": " + said;
  }
  if (out.size() > 500) out = out.substr(0, 500) + "…";
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return out;
}

Result<Secret> GoogleToken::ask(net::Request r, const char* member_name, const std::string& whom) {
  r.limits.body = 1 << 20;
  r.retry.times = 2;
  r.stop = stop_;
  Result<net::Answer> answer = client_.send(r);
  if (r.body) wipe(*r.body);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return Error{fmt::format("{} refused to give an access token: {}", whom, google_failure(*answer))};
  const Result<Json> body = parse_document(answer->body);
  wipe(answer->body);
  std::string token = body ? string_in(*body, member_name) : std::string();
  if (token.empty()) return Error{fmt::format("the answer of {} has no access token", whom)};
  return Secret(std::move(token));
}

Result<Secret> GoogleToken::of_service_account(const Json& account, const std::string& from) {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  const std::string url = token_url(account);
  const Json header = {{"alg", "RS256"}, {"typ", "JWT"}, {"kid", string_in(account, "private_key_id")}};
  const Json claims = {{"iss", string_in(account, "client_email")},
                       {"scope", settings_.scope},
                       {"aud", url},
                       {"iat", now},
                       {"exp", now + 3600}};
  const std::string text = base64url(header.dump()) + "." + base64url(claims.dump());
  const std::string signature = rs256(string_in(account, "private_key"), text);
  if (signature.empty()) return Error{fmt::format("the \"private_key\" of {} is not an RSA key", from)};
  return ask(form(url, {{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"},
                        {"assertion", text + "." + base64url(signature)}}),
             "access_token", url);
}

Result<Secret> GoogleToken::of_user(const Json& user) {
  const std::string url = token_url(user);
  return ask(form(url, {{"grant_type", "refresh_token"},
                        {"client_id", string_in(user, "client_id")},
                        {"client_secret", string_in(user, "client_secret")},
                        {"refresh_token", string_in(user, "refresh_token")}}),
             "access_token", url);
}

Result<Secret> GoogleToken::of_credentials(const std::string& json, const std::string& from) {
  const Result<Json> document = parse_document(json);
  if (!document) return Error{fmt::format("{} is not JSON of Google credentials", from)};
  const std::string type = string_in(*document, "type");
  if (type == "service_account") return of_service_account(*document, from);
  if (type == "authorized_user") return of_user(*document);
  return Error{
      fmt::format("{} has credentials of a type that is not supported. Those of service accounts and of "
                  "users are; an access token of any kind can be given in GOOGLE_OAUTH_ACCESS_TOKEN",
                  from)};
}

Result<Secret> GoogleToken::of_machine() {
  const std::string host = settings_.variable("GCE_METADATA_HOST");
  net::Request r;
  r.url = fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/default/token",
                      host.empty() ? "metadata.google.internal" : host);
  r.headers = {{"Metadata-Flavor", "Google"}};
  r.limits.connect = 3;
  Result<Secret> token = ask(std::move(r), "access_token", "the metadata service");
  if (token) return token;
  return Error{
      "there are no Google credentials: neither \"credentials\" nor \"access_token\" is set, nor are "
      "GOOGLE_CREDENTIALS, GOOGLE_OAUTH_ACCESS_TOKEN and GOOGLE_APPLICATION_CREDENTIALS, nor has gcloud "
      "any, and " +
      token.error().message};
}

Result<Secret> GoogleToken::own() {
  if (!settings_.access_token.empty()) return settings_.access_token.copy();
  if (!settings_.credentials.empty()) {
    if (settings_.credentials.find('{') != std::string::npos)
      return of_credentials(settings_.credentials, "\"credentials\"");
    Result<std::string> text = real_fs().read(settings_.credentials);
    return text ? of_credentials(*text, fmt::format("\"{}\"", settings_.credentials)) : text.error();
  }
  std::string path = settings_.variable("GOOGLE_APPLICATION_CREDENTIALS");
  const bool named = !path.empty();
  if (!named) {
    const std::string config = settings_.variable("CLOUDSDK_CONFIG");
    path = (config.empty() ? settings_.variable("HOME") + "/.config/gcloud" : config) +
           "/application_default_credentials.json";
  }
  if (!named && !real_fs().exists(path)) return of_machine();
  Result<std::string> text = real_fs().read(path);
  return text ? of_credentials(*text, fmt::format("\"{}\"", path)) : text.error();
}

Result<Secret> GoogleToken::impersonate(const Secret& token) {
  auto account = [](const std::string& email) {
    return "projects/-/serviceAccounts/" + net::escape_path(email);
  };
  std::string base = settings_.variable("CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS");
  if (base.empty()) base = "https://iamcredentials.googleapis.com/";
  net::Request r;
  r.method = "POST";
  r.url = base + "v1/" + account(settings_.impersonate) + ":generateAccessToken";
  r.headers = {{"Content-Type", "application/json"}};
  authorize(r, token);
  Json body = {{"scope", Json::array({settings_.scope})}, {"lifetime", "3600s"}};
  for (const std::string& d : settings_.delegates)
    body["delegates"].push_back("projects/-/serviceAccounts/" + d);
  r.body = body.dump();
  return ask(std::move(r), "accessToken", fmt::format("the service account \"{}\"", settings_.impersonate));
}

Result<Secret> GoogleToken::fetch() {
  Result<Secret> token = own();
  return token && !settings_.impersonate.empty() ? impersonate(*token) : std::move(token);
}

}  // namespace xplan::crypt
