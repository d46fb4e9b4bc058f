// Tokens for applications, from the login service of the cloud, and what is shown to it instead of a secret.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/azure_sources.h"
#include "core/cloud/signing.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

// A count of seconds: a number, or a string of one; at most some years, so that sums stay small.
int64_t seconds_in(const Json& doc, const char* name, int64_t most) {
  const Json* v = member(doc, name);
  int64_t out = 0;
  if (v && v->is_number()) out = v->is_number_float() ? 0 : v->get<int64_t>();
  if (v && v->is_string()) out = std::atoll(v->get_ref<const std::string&>().c_str());
  return out > 0 && out < most ? out : 0;
}

// The bearer token of a provider of tokens goes over https, or stays on this machine.
Result<void> add_bearer(net::Request& r, const std::string& token) {
  if (net::uses_http(r.url) && net::on_this_machine(r.url)) {
    r.headers.emplace_back("Authorization", "Bearer " + token);
    return {};
  }
  if (!net::uses_https(r.url)) return Error{"the address that OIDC tokens are requested from must use https"};
  r.token = token;
  return {};
}

Result<std::string> requested_token(const AzureAsking& a) {
  const AzureIdentity& id = a.identity;
  const bool devops = id.source == AzureIdentity::Source::AzureDevOps;
  net::Request r;
  r.url = id.request_url + (id.request_url.find('?') == std::string::npos ? "?" : "&") +
          (devops ? "api-version=7.1&serviceConnectionId=" + uri_escape(id.service_connection) + "&" : "") +
          "audience=" + uri_escape("api://AzureADTokenExchange");
  r.failure = "failed to request an OIDC token at";
  r.headers = {{"Accept", "application/json"}};
  if (devops) {
    r.method = "POST";
    r.body = "";
    r.headers.insert(r.headers.end(),
                     {{"Content-Type", "application/json"}, {"X-TFS-FedAuthRedirect", "Suppress"}});
  }
  r.limits.body = 1 << 20;
  r.stop = a.stop;
  if (Result<void> may = add_bearer(r, id.request_token); !may) return may.error();
  const Result<net::Answer> answer = a.client.send_plain(r);
  if (!answer) return answer.error();
  if (answer->status != 200)
    return Error{"the request for an OIDC token was answered with " + describe_azure_failure(*answer)};
  const auto doc = parse_document(answer->body);
  std::string token = doc ? string_in(*doc, devops ? "oidcToken" : "value") : "";
  if (token.empty()) return Error{"the response to the request for an OIDC token does not contain one"};
  return token;
}

std::string login_form(std::initializer_list<std::pair<const char*, std::string>> fields) {
  std::string out;
  for (const auto& [name, value] : fields)
    if (!value.empty()) out += (out.empty() ? "" : "&") + std::string(name) + "=" + uri_escape(value);
  return out;
}

}  // namespace

Result<AzureToken> token_in(const net::Answer& a, const std::string& whom, int64_t now) {
  if (a.status != 200) return Error{whom + " answered " + describe_azure_failure(a)};
  const auto doc = parse_document(a.body);
  AzureToken out{doc ? string_in(*doc, "access_token") : "", 0};
  if (out.text.empty()) return Error{"the response from " + whom + " does not contain a token"};
  const int64_t in = seconds_in(*doc, "expires_in", 1 << 28);
  const int64_t on = seconds_in(*doc, "expires_on", int64_t{1} << 40);
  out.expires = in ? now + in : on ? on : now + 3600;
  return out;
}

Result<std::string> foreign_token(const AzureAsking& a) {
  using Source = AzureIdentity::Source;
  const AzureIdentity& id = a.identity;
  if (id.source == Source::RequestedToken || id.source == Source::AzureDevOps) return requested_token(a);
  if (id.assertion_file.empty()) return id.assertion;
  const Result<std::string> text = read_given(id.assertion_file, a.stop);
  if (!text) return Error{"the OIDC token is not available: " + text.error().message};
  std::string token(trimmed(*text));
  if (token.empty())
    return Error{fmt::format("the file \"{}\" with the OIDC token is empty", shown_text(id.assertion_file))};
  if (!id.assertion.empty() && id.assertion != token)
    return Error{
        "the OIDC token and the file with one are both set, with different values; remove one of them"};
  return token;
}

Result<AzureToken> token_of_login(const AzureAsking& a, const std::string& resource) {
  using Source = AzureIdentity::Source;
  const AzureIdentity& id = a.identity;
  net::Request r;
  r.method = "POST";
  r.url = a.cloud.login + "/" + uri_escape(id.tenant) + "/oauth2/v2.0/token";
  Result<std::string> assertion = id.source == Source::Secret ? Result<std::string>("")
                                  : id.source == Source::Certificate
                                      ? signed_assertion(id, r.url, a.client.now())
                                      : foreign_token(a);
  if (!assertion) return assertion.error();
  r.failure = "failed to reach the login service at";
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
  r.body = login_form({{"client_id", id.client},
                       {"scope", resource + "/.default"},
                       {"grant_type", "client_credentials"},
                       {"client_secret", id.source == Source::Secret ? id.secret : ""},
                       {"client_assertion_type",
                        assertion->empty() ? "" : "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
                       {"client_assertion", *assertion}});
  r.limits.body = 1 << 20;
  r.stop = a.stop;
  const Result<net::Answer> answer = a.client.send_plain(r);
  if (!answer) return answer.error();
  return token_in(*answer, fmt::format("the login service for the tenant \"{}\"", shown_text(id.tenant)),
                  a.client.now());
}

Result<AzureToken> find_token(const AzureAsking& a, const std::string& resource) {
  switch (a.identity.source) {
    case AzureIdentity::Source::Certificate:
    case AzureIdentity::Source::Secret:
    case AzureIdentity::Source::Assertion:
    case AzureIdentity::Source::RequestedToken:
    case AzureIdentity::Source::AzureDevOps:
      return token_of_login(a, resource);
    case AzureIdentity::Source::Machine:
      return token_of_machine(a, resource);
    case AzureIdentity::Source::Program:
      return token_of_program(a, resource);
  }
  return Error{"there is no source of access tokens"};
}

}  // namespace xplan::cloud
