// The requests of a login, and the checks of what comes back.
#include "core/hosts/oauth.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/base64.h"
#include "core/base/digest.h"
#include "core/base/secret.h"
#include "core/base/system_text.h"
#include "core/cloud/signing.h"
#include "core/hosts/document.h"
#include "core/net/client.h"
#include "core/net/redact.h"
#include "core/net/url.h"

namespace xplan::hosts {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

// In the form of queries and of forms.
std::string encoded(const Fields& fields) {
  std::string out;
  for (const auto& [name, value] : fields)
    out += (out.empty() ? "" : "&") + name + "=" + cloud::uri_escape(value, false);
  return out;
}

// base64url without padding (RFC 4648, 5).
std::string url_base64(std::string_view bytes) {
  std::string out = base64_encode(bytes);
  while (out.ends_with('=')) out.pop_back();
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

// A number of the list `ports`; -1 where it is none.
int port_in(const Json& list, size_t i) {
  return list[i].is_number_integer() ? list[i].get<int>() : -1;
}

}  // namespace

Result<LoginOffer> login_offer(std::string_view document) {
  const Result<Json> doc = parse_document(document);
  if (!doc) return doc.error();
  LoginOffer out;
  out.client = text_in(*doc, "client"), out.authorize = text_in(*doc, "authz"),
  out.token = text_in(*doc, "token");
  if (const Json* grants = list_in(*doc, "grant_types"))
    if (std::find(grants->begin(), grants->end(), Json("authz_code")) == grants->end())
      return Error{"it does not support authorization codes (grant type \"authz_code\")"};
  if (out.client.empty()) return Error{"it does not name a client"};
  for (const std::string* url : {&out.authorize, &out.token})
    if (!net::uses_https(*url)) return Error{"its login URLs do not use https"};
  if (const Json* ports = list_in(*doc, "ports"); ports && ports->size() == 2) {
    out.first_port = port_in(*ports, 0), out.last_port = port_in(*ports, 1);
    if (out.first_port < 1024 || out.last_port > 65535 || out.first_port > out.last_port)
      return Error{"its port range is not between 1024 and 65535"};
  }
  if (const Json* scopes = list_in(*doc, "scopes"))
    for (const Json& scope : *scopes) out.scopes.push_back(text_of(scope));
  return out;
}

Login::Login(LoginOffer offer, int port)
    : offer_(std::move(offer)),
      port_(port),
      state_(url_base64(random_bytes(24))),
      verifier_(url_base64(random_bytes(48))) {}

std::string Login::redirect() const {
  return "http://localhost:" + std::to_string(port_) + "/login";
}

std::string Login::page() const {
  Fields fields = {
      {"client_id", offer_.client},      {"code_challenge", url_base64(digest(Digest::Sha256, verifier_))},
      {"code_challenge_method", "S256"}, {"redirect_uri", redirect()},
      {"response_type", "code"},         {"state", state_}};
  std::string scopes;
  for (const std::string& s : offer_.scopes) scopes += (scopes.empty() ? "" : " ") + s;
  if (!scopes.empty()) fields.emplace_back("scope", scopes);
  return offer_.authorize + (offer_.authorize.find('?') == std::string::npos ? "?" : "&") + encoded(fields);
}

Result<std::string> Login::code(const Loopback::Query& query) const {
  const auto of = [&](const char* name) {
    const auto it = query.find(name);
    return it == query.end() ? std::string() : it->second;
  };
  if (const std::string error = of("error"); !error.empty()) {
    const std::string text = of("error_description");
    return Error{"the host refused the login: " + (text.empty() ? error : text)};
  }
  const std::string code = of("code");
  return code.empty() ? Result<std::string>(Error{"the browser did not return an authorization code"}) : code;
}

Result<std::string> Login::token(const std::string& code, Stop stop) const {
  net::Request r;
  r.url = offer_.token;
  r.method = "POST";
  r.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
  r.body = encoded({{"client_id", offer_.client},
                    {"code", code},
                    {"code_verifier", verifier_},
                    {"grant_type", "authorization_code"},
                    {"redirect_uri", redirect()}});
  r.limits.body = 1 << 20;
  r.stop = stop;
  const Result<net::Answer> answer = net::Client().send(r);
  if (!answer) return answer.error();
  const Result<Json> doc = parse_document(answer->body);
  const std::string token = doc ? text_in(*doc, "access_token") : "";
  if (answer->status != 200 || token.empty()) {
    const std::string why = doc ? text_in(*doc, "error_description") : "";
    return Error{net::shown_address(offer_.token) + " answered " + net::status_text(answer->status) +
                 (why.empty() ? " and no token" : ": " + why)};
  }
  return token;
}

}  // namespace xplan::hosts
