// Service discovery: the document at /.well-known/terraform.json, host blocks that replace it, and which
// token goes to which URL.
#include "core/hosts/discovery.h"

#include <nlohmann/json.hpp>

#include "core/addr/host.h"
#include "core/hosts/document.h"
#include "core/hosts/helper.h"

namespace xplan::hosts {
namespace {

// Hosts are compared in one form.
std::string same_form(const std::string& host) {
  return normal_host(host).value_or(host);
}

bool is_at(const std::string& host, const std::string& url) {
  return same_form(host_and_port(url)) == same_form(host);
}

const char* kind_of(std::string_view service) {
  if (service == "modules.v1") return "module registry";
  return service == "providers.v1" ? "provider registry" : "service for states (tfe.v2)";
}

// The member login.v1, the URLs in it resolved; empty: there is none.
std::string login_in(std::string_view document, const std::string& url) {
  const auto doc = parse_document(document);
  const Json* login = doc ? object_in(*doc, "login.v1") : nullptr;
  if (!login) return {};
  Json out = *login;
  for (const char* name : {"authz", "token"})
    if (const std::string one = text_in(out, name); !one.empty()) out[name] = resolve_url(url, one);
  return document_text(out);
}

}  // namespace

Result<std::map<std::string, std::string>> services_in(std::string_view document, const std::string& url) {
  const auto doc = parse_document(document);
  if (!doc) return doc.error();
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : doc->items())
    if (const std::string one = text_of(value); !one.empty()) out[name] = resolve_url(url, one);
  return out;
}

const Services::Known& Services::document(const std::string& host) {
  return known_.get(host, [&]() -> Known {
    HttpRequest r;
    r.url = "https://" + host + "/.well-known/terraform.json";
    Result<std::string> own = token(host);
    if (!own) return own.error();
    r.token = std::move(*own);
    r.max_bytes = 1 << 20;
    auto answer = http_.get(r);
    if (!answer) return Error{"cannot discover the services of " + host + ": " + answer.error().message};
    if (answer->status == 404) return Document{};
    if (answer->status != 200)
      return Error{"the host " + host + " answered " + status_text(answer->status) +
                   " to the request for its services"};
    auto services = services_in(answer->body, answer->url);
    if (!services) return Error{"the response from " + answer->url + " " + services.error().message};
    return Document{std::move(*services), login_in(answer->body, answer->url), is_at(host, answer->url)};
  });
}

Result<std::string> Services::login(const std::string& host) {
  if (config_.services.count(host) != 0) return std::string();
  const Known& known = document(host);
  if (!known) return known.error();
  return known->login;
}

Result<std::string> Services::find(const std::string& host, const std::string& service) {
  auto with_slash = [](std::string url) { return url.ends_with('/') ? url : url + "/"; };
  if (auto h = config_.services.find(host); h != config_.services.end()) {
    if (auto s = h->second.find(service); s != h->second.end()) return with_slash(s->second);
    return Error{"the CLI configuration names no service " + service + " for the host " + host};
  }
  const Known& known = document(host);
  if (!known) return known.error();
  auto s = known->services.find(service);
  if (s == known->services.end()) {
    return Error{"the host " + host + " has no " + kind_of(service)};
  }
  return with_slash(s->second);
}

Result<std::string> Services::token(const std::string& host) {
  const std::string normal = same_form(host);
  if (auto it = config_.tokens.find(normal); it != config_.tokens.end()) return it->second;
  if (!config_.helper) return std::string();
  return helped_.get(normal, [&] { return token_of_helper(*config_.helper, normal, http_.stop); });
}

Result<std::string> Services::token_for(const std::string& host, const std::string& url) {
  return net::uses_https(url) && is_at(host, url) ? token(host) : std::string();
}

bool Services::trusts(const std::string& host, const std::string& url) {
  if (config_.services.count(host) != 0 || (net::uses_https(url) && is_at(host, url))) return true;
  return net::uses_https(url) && document(host) && document(host)->by_host;
}

Result<HttpAnswer> Services::get(const std::string& host, const std::string& url, bool named) {
  HttpRequest r;
  r.url = url;
  const Result<std::string> own = token(host),
                            sent = !named && trusts(host, url) ? own : token_for(host, url);
  if (!own) return own.error();
  r.token = *sent;
  auto answer = http_.get(r);
  if (!answer) return answer;
  if (answer->status == 401 || answer->status == 403) {
    const std::string where =
        " in a \"credentials\" block of the CLI configuration or in an environment variable of the form "
        "TF_TOKEN_host";
    return Error{"the registry " + host + " answered " + status_text(answer->status) + ": " +
                 (!r.token.empty() ? "the token for this host was not accepted. Set another one" + where
                  : own->empty()   ? "a token for this host is missing. Set one" + where
                                 : "the token for this host is not sent to other addresses, such as " + url +
                                       ", unless a \"host\" block of the CLI configuration names them as "
                                       "its services")};
  }
  if (answer->status != 200 && answer->status != 204 && answer->status != 404)
    return Error{"the registry " + host + " answered " + status_text(answer->status) + " to " + url};
  if (answer->status == 404) answer->body.clear();
  return answer;
}

}  // namespace xplan::hosts
