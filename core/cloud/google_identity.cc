// Access tokens of federated identities: a token of another provider, from a file or a URL, is exchanged for
// one of Google's, with which an account may be impersonated.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/google_client.h"
#include "core/cloud/google_sources.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

constexpr const char* kGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr const char* kAccessToken = "urn:ietf:params:oauth:token-type:access_token";

// The token in a text, which is that token or a document with a member of that name.
Result<std::string> token_in(const std::string& text, const Json& source, const std::string& where) {
  const Json* format = object_in(source, "format");
  if (!format || string_in(*format, "type") != "json") return std::string(trimmed(text));
  const Result<Json> document = parse_document(text);
  const std::string name = string_in(*format, "subject_token_field_name");
  std::string token = document ? string_in(*document, name) : std::string();
  if (token.empty()) return Error{fmt::format("{} has no \"{}\"", where, shown_text(name))};
  return token;
}

Result<std::string> token_behind(const GoogleAsking& a, const std::string& url, const GoogleDocument& d,
                                 const Json& source) {
  net::Request r;
  r.url = url;
  if (const Json* headers = object_in(source, "headers"))
    for (const auto& [name, value] : headers->items())
      if (value.is_string()) r.headers.emplace_back(name, value.get<std::string>());
  const bool beside = net::uses_http(url) && net::host_and_port(url) == "169.254.169.254";
  if (!r.headers.empty() && !safe_for_secrets(url) && !beside)
    return unsafe_url("credential_source.url", d.from);
  r.follow = false;
  r.direct = beside;
  r.limits.body = 1 << 20;
  r.retry = google_retries();
  r.stop = a.stop;
  const Result<net::Answer> answer = a.client.send(r);
  if (!answer) return answer.error();
  const std::string where = fmt::format("the response from the \"credential_source\" of {}", d.from);
  if (answer->status != 200) return Error{where + " is " + google_failure(*answer)};
  return token_in(answer->body, source, where);
}

Result<std::string> subject_token(const GoogleAsking& a, const GoogleDocument& d) {
  const Json* source = object_in(d.json, "credential_source");
  const std::string file = source ? string_in(*source, "file") : "";
  const std::string url = source ? string_in(*source, "url") : "";
  if (!file.empty()) {
    const Result<std::string> text = read_given(file, a.stop);
    if (!text) return Error{"the token of the federated identity is not available: " + text.error().message};
    return token_in(*text, *source, fmt::format("\"{}\"", file));
  }
  if (!url.empty() && string_in(*source, "environment_id").empty()) return token_behind(a, url, d, *source);
  return Error{
      fmt::format("{} has a \"credential_source\" that is not supported: AWS identities, programs and "
                  "certificates cannot "
                  "be used. Use a source with a token in a file or at a URL, or set "
                  "GOOGLE_OAUTH_ACCESS_TOKEN to an access token",
                  d.from)};
}

}  // namespace

Result<GoogleAccess> access_of_identity(const GoogleAsking& a, const GoogleDocument& d,
                                        const Scopes& scopes) {
  const std::string url = string_in(d.json, "token_url"),
                    account = string_in(d.json, "service_account_impersonation_url");
  if (!safe_for_secrets(url)) return unsafe_url("token_url", d.from);
  if (!account.empty() && !safe_for_secrets(account))
    return unsafe_url("service_account_impersonation_url", d.from);
  Result<std::string> token = subject_token(a, d);
  if (!token) return token.error();
  Form form = {{"grant_type", kGrant},
               {"audience", string_in(d.json, "audience")},
               {"scope", account.empty() ? joined(scopes, ' ') : std::string(kCloudPlatform)},
               {"requested_token_type", kAccessToken},
               {"subject_token", *token},
               {"subject_token_type", string_in(d.json, "subject_token_type")}};
  const std::string id = string_in(d.json, "client_id"),
                    pool_project = string_in(d.json, "workforce_pool_user_project");
  if (id.empty() && !pool_project.empty())
    form.emplace_back("options", document_text(Json{{"userProject", pool_project}}));
  net::Request r = google_form(url, form);
  r.user = id;
  r.password = string_in(d.json, "client_secret");
  wipe(*token);
  Result<GoogleAccess> federated = ask_google(a, std::move(r), url);
  if (!federated || account.empty()) return federated;
  Impersonation i{account, fmt::format("the service account of {}", d.from), {}};
  if (const Json* how = object_in(d.json, "service_account_impersonation"))
    if (const Json* n = member(*how, "token_lifetime_seconds"); n && n->is_number_unsigned())
      i.seconds = static_cast<int64_t>(std::min<uint64_t>(n->get<uint64_t>(), 43200));
  return impersonate(a, i, *federated, scopes);
}

}  // namespace xplan::cloud
