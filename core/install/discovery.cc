// Service discovery: the document at /.well-known/terraform.json, host blocks that replace it, and which
// token goes to which URL.
#include "core/install/discovery.h"

#include "core/base/json_reader.h"

namespace xplan::install {
namespace {

Result<std::map<std::string, std::string>> read_document(const HttpAnswer& a) {
  JsonError error;
  auto doc = JsonDocument::parse(a.body, error);
  if (!doc || !doc->root().is_object()) return Error{"the response from " + a.url + " is not a JSON object"};
  std::map<std::string, std::string> out;
  for (const JsonMember& m : doc->root().members) {
    if (m.value->is_string()) out[std::string(m.key)] = resolve_url(a.url, m.value->str());
  }
  return out;
}

}  // namespace

Result<std::string> Services::find(const std::string& host, const std::string& service) {
  auto with_slash = [](std::string url) { return url.ends_with('/') ? url : url + "/"; };
  if (auto h = config_.services.find(host); h != config_.services.end()) {
    if (auto s = h->second.find(service); s != h->second.end()) return with_slash(s->second);
    return Error{"the CLI configuration has no service " + service + " for the host " + host};
  }
  const Document& known = known_.get(host, [&]() -> Document {
    HttpRequest r;
    r.url = "https://" + host + "/.well-known/terraform.json";
    r.token = token(host);
    r.max_bytes = 1 << 20;
    auto answer = http_.get(r);
    if (!answer) return Error{"cannot connect to " + host + ": " + answer.error().message};
    if (answer->status == 404) return std::map<std::string, std::string>{};
    if (answer->status != 200)
      return Error{"the host " + host + " answered " + status_text(answer->status) +
                   " when asked for its services"};
    return read_document(*answer);
  });
  if (!known) return known.error();
  auto s = known->find(service);
  if (s == known->end()) {
    return Error{"the host " + host + " has no " +
                 (service == "modules.v1" ? "module registry" : "provider registry")};
  }
  return with_slash(s->second);
}

std::string Services::token(const std::string& host) const {
  auto it = config_.tokens.find(host);
  return it == config_.tokens.end() ? "" : it->second;
}

std::string Services::token_for(const std::string& host, const std::string& url) const {
  return url.starts_with("https://") && host_of(url) == host ? token(host) : "";
}

Result<HttpAnswer> Services::get(const std::string& host, const std::string& url, bool named) {
  HttpRequest r;
  r.url = url;
  r.token = named ? token_for(host, url) : token(host);
  auto answer = http_.get(r);
  if (!answer) return answer;
  if (answer->status == 401 || answer->status == 403)
    return Error{"the registry " + host + " answered " + status_text(answer->status) +
                 (r.token.empty() ? ": a token for this host is missing"
                                  : ": the token for this host was not accepted") +
                 ". Set one in a \"credentials\" block of the CLI configuration or in an environment "
                 "variable of the form TF_TOKEN_host"};
  if (answer->status != 200 && answer->status != 204 && answer->status != 404)
    return Error{"the registry " + host + " answered " + status_text(answer->status) + " to " + url};
  if (answer->status == 404) answer->body.clear();
  return answer;
}

}  // namespace xplan::install
