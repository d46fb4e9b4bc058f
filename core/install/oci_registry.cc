// Requests to OCI registries, and how they want to know who asks.
#include "core/install/oci_registry.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/text.h"
#include "core/cloud/signing.h"

namespace xplan::install {
namespace {

// Docker's registry is at another host than its name says.
std::string host_of(const std::string& registry) {
  return registry == "docker.io" || registry == "index.docker.io" ? "registry-1.docker.io" : registry;
}

}  // namespace

OciRegistry::OciRegistry(const config::OciPlace& place, const hosts::OciSettings& settings, Http& http)
    : place_(place),
      settings_(settings),
      http_(http),
      base_("https://" + host_of(place.registry) + "/v2/" + place.repository + "/") {}

Result<HttpAnswer> OciRegistry::get(const std::string& what, const std::string& accept, uint64_t max_bytes,
                                    const std::string& to_file) {
  for (bool again = false;; again = true) {
    HttpRequest r;
    r.url = base_ + what;
    r.headers = {{"Accept", accept}};
    r.token = token_, r.user = user_, r.password = password_;
    r.max_bytes = max_bytes;
    r.to_file = to_file;
    Result<HttpAnswer> a = http_.get(r);
    if (!a || a->status != 401 || again) return a;
    // What another host says to whoever was sent there is not the registry's word.
    if (net::host_and_port(a->url) != net::host_and_port(base_))
      return Error{"the registry " + in_quotes(place_.registry) + " redirects to " +
                   in_quotes(net::host_and_port(a->url)) +
                   ", which requires credentials; those of the registry are not sent there"};
    if (Result<void> ok = log_in(read_challenge(a->headers["www-authenticate"])); !ok) return ok.error();
  }
}

// Bearer realm="https://…",service="…",scope="…"
OciRegistry::Challenge OciRegistry::read_challenge(const std::string& header) {
  Challenge out;
  const size_t space = std::min(header.find(' '), header.size());
  out.scheme = ascii_lower(header.substr(0, space));
  for (size_t i = space; i < header.size();) {
    i = std::min(header.find_first_not_of(" ,", i), header.size());
    const size_t equals = header.find('=', i);
    if (equals == header.npos) break;
    const std::string name = ascii_lower(header.substr(i, equals - i));
    const bool quoted = equals + 1 < header.size() && header[equals + 1] == '"';
    const size_t begin = equals + 1 + quoted;
    const size_t end = std::min(header.find(quoted ? '"' : ',', begin), header.size());
    std::string value = header.substr(begin, end - begin);
    if (name == "realm") out.realm = std::move(value);
    if (name == "service") out.service = std::move(value);
    if (name == "scope") out.scope = std::move(value);
    i = std::min(end + 1, header.size());
  }
  return out;
}

Result<void> OciRegistry::log_in(const Challenge& c) {
  auto found =
      hosts::find_oci_credentials(settings_, place_.registry, place_.repository, std::getenv, http_.stop);
  if (!found) return found.error();
  if (*found) credentials_ = **found;
  if (!credentials_.access_token.empty() && c.scheme == "bearer") {
    token_ = credentials_.access_token;
    return {};
  }
  if (c.scheme == "basic") {
    if (credentials_.user.empty())
      return Error{
          "the registry " + in_quotes(place_.registry) +
          " requires a user name and a password, but none are configured: log in with a tool such as "
          "\"docker login\" or \"oras login\", or add an oci_credentials block to the CLI configuration"};
    user_ = credentials_.user, password_ = credentials_.password;
    return {};
  }
  if (c.scheme != "bearer")
    return Error{
        "the registry " + in_quotes(place_.registry) +
        " asks for credentials in a way that is not supported; the supported methods are Basic and Bearer"};
  Result<std::string> token = token_of(c);
  if (!token) return token.error();
  token_ = std::move(*token);
  return {};
}

Result<std::string> OciRegistry::token_of(const Challenge& c) {
  const std::string begin = "the registry " + in_quotes(place_.registry) + " ";
  if (!net::uses_https(c.realm)) return Error{begin + "names a token service that does not use https"};
  const std::string scope = c.scope.empty() ? "repository:" + place_.repository + ":pull" : c.scope;
  HttpRequest r;
  std::string query = "service=" + cloud::uri_escape(c.service) + "&scope=" + cloud::uri_escape(scope);
  r.url = c.realm;
  r.max_bytes = 1 << 20;
  if (!credentials_.refresh_token.empty()) {
    r.form = "grant_type=refresh_token&client_id=xplan&refresh_token=" +
             cloud::uri_escape(credentials_.refresh_token) + "&" + query;
  } else {
    r.url += (c.realm.find('?') == std::string::npos ? "?" : "&") + query;
    r.user = credentials_.user, r.password = credentials_.password;
  }
  const Result<HttpAnswer> a = http_.get(r);
  if (!a) return a.error();
  if (a->status == 401 || a->status == 403)
    return Error{begin +
                 (credentials_.user.empty() && credentials_.refresh_token.empty()
                      ? "requires credentials, but none are configured: log in with a tool such as \"docker "
                        "login\" or \"oras login\", or add an oci_credentials block to the CLI configuration"
                      : "does not accept the credentials that were found for it")};
  if (a->status != 200)
    return Error{begin + "did not return a token: the response was " + status_text(a->status)};
  const Result<Json> doc = parse_document(a->body);
  std::string token = doc ? string_in(*doc, "token") : std::string();
  if (doc && token.empty()) token = string_in(*doc, "access_token");
  if (token.empty() || net::has_controls(token))
    return Error{begin + "did not return a token: the response from its token service contains none"};
  return token;
}

}  // namespace xplan::install
