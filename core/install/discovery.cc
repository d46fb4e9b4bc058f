// Service discovery: the document at /.well-known/terraform.json, host blocks that replace it, and which
// token goes to which URL.
#include "core/install/discovery.h"

#include <nlohmann/json.hpp>

#include "core/addr/host.h"
#include "core/install/document.h"

namespace xplan::install {
namespace {

// Hosts are compared in one form.
std::string same_form(const std::string& host) {
  return normal_host(host).value_or(host);
}

bool is_at(const std::string& host, const std::string& url) {
  return same_form(host_and_port(url)) == same_form(host);
}

}  // namespace

const Services::Known& Services::document(const std::string& host) {
  return known_.get(host, [&]() -> Known {
    HttpRequest r;
    r.url = "https://" + host + "/.well-known/terraform.json";
    r.token = token(host);
    r.max_bytes = 1 << 20;
    auto answer = http_.get(r);
    if (!answer) return Error{"cannot connect to " + host + ": " + answer.error().message};
    if (answer->status == 404) return Document{};
    if (answer->status != 200)
      return Error{"the host " + host + " answered " + status_text(answer->status) +
                   " when asked for its services"};
    const auto doc = parse_document(answer->body);
    if (!doc) return Error{"the response from " + answer->url + " " + doc.error().message};
    Document out{{}, is_at(host, answer->url)};
    for (const auto& [name, value] : doc->items())
      if (const std::string url = text_of(value); !url.empty())
        out.services[name] = resolve_url(answer->url, url);
    return out;
  });
}

Result<std::string> Services::find(const std::string& host, const std::string& service) {
  auto with_slash = [](std::string url) { return url.ends_with('/') ? url : url + "/"; };
  if (auto h = config_.services.find(host); h != config_.services.end()) {
    if (auto s = h->second.find(service); s != h->second.end()) return with_slash(s->second);
    return Error{"the CLI configuration has no service " + service + " for the host " + host};
  }
  const Known& known = document(host);
  if (!known) return known.error();
  auto s = known->services.find(service);
  if (s == known->services.end()) {
    return Error{"the host " + host + " has no " +
                 (service == "modules.v1" ? "module registry" : "provider registry")};
  }
  return with_slash(s->second);
}

std::string Services::token(const std::string& host) const {
  auto it = config_.tokens.find(same_form(host));
  return it == config_.tokens.end() ? "" : it->second;
}

std::string Services::token_for(const std::string& host, const std::string& url) const {
  return net::uses_https(url) && is_at(host, url) ? token(host) : "";
}

Result<HttpAnswer> Services::get(const std::string& host, const std::string& url, bool named) {
  HttpRequest r;
  r.url = url;
  // Where the services are was said by the user, by the host itself, or by another one that it redirects to.
  const bool said_by_user = config_.services.count(host) != 0;
  const bool trusted =
      !named && (said_by_user || (net::uses_https(url) && document(host) && document(host)->by_host));
  r.token = trusted ? token(host) : token_for(host, url);
  auto answer = http_.get(r);
  if (!answer) return answer;
  if (answer->status == 401 || answer->status == 403) {
    const std::string where =
        " in a \"credentials\" block of the CLI configuration or in an environment variable of the form "
        "TF_TOKEN_host";
    return Error{"the registry " + host + " answered " + status_text(answer->status) + ": " +
                 (!r.token.empty() ? "the token for this host was not accepted. Set another one" + where
                  : token(host).empty()
                      ? "a token for this host is missing. Set one" + where
                      : "the token for this host is not sent to other addresses, such as " + url +
                            ", unless a \"host\" block of the CLI configuration names them as "
                            "its services")};
  }
  if (answer->status != 200 && answer->status != 204 && answer->status != 404)
    return Error{"the registry " + host + " answered " + status_text(answer->status) + " to " + url};
  if (answer->status == 404) answer->body.clear();
  return answer;
}

}  // namespace xplan::install
