// Services: where a host has its services, and the token for it.
//
// Who calls it: registries of providers and modules; UserHosts, for backends.
// Rules: the CLI configuration's "host" blocks come first, then https://HOST/.well-known/terraform.json; URLs
// there may be relative, to where the host redirects to. A token goes over https to the one host (with its
// port) that it is for; to services elsewhere only when such a block names them, or the host itself does.
// Cost: one request per host.  Thread-safety: any thread.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/hosts/cli_config.h"
#include "core/hosts/http.h"
#include "core/hosts/once_map.h"

namespace xplan::hosts {

// The URLs in a document of services, by name, relative ones resolved against where it came from; the error
// goes on from what was read.
Result<std::map<std::string, std::string>> services_in(std::string_view document, const std::string& url);

class Services {
 public:
  Services(const CliConfig& config, Http& http) : config_(config), http_(http) {}
  const CliConfig& config() const { return config_; }
  // The base URL of a service ("providers.v1", "modules.v1", "tfe.v2"), ending in a slash.
  Result<std::string> find(const std::string& host, const std::string& service);
  // What the host says of how to log in (login.v1), with absolute URLs; empty where it says nothing.
  Result<std::string> login(const std::string& host);
  // "" where there is none; an error where the credentials helper has a problem.
  Result<std::string> token(const std::string& host);
  // Of the host, for a URL that somebody names: empty unless it leads to that host, over https.
  Result<std::string> token_for(const std::string& host, const std::string& url);
  // Whether the host's token may go to this URL of one of its services: it is the host's own, or the user or
  // the host itself says where the service is, and not another one that it redirects to.
  bool trusts(const std::string& host, const std::string& url);
  // A JSON document of that service, or something that such a document names (`named`). A status other than
  // 200 is an error that names it; 404 gives an empty text.
  Result<HttpAnswer> get(const std::string& host, const std::string& url, bool named = false);

 private:
  const CliConfig& config_;
  Http& http_;
  struct Document {
    std::map<std::string, std::string> services;  // name → URL
    std::string login;                            // a JSON object
    bool by_host = true;                          // not by another one that it redirects to
  };
  using Known = Result<Document>;
  const Known& document(const std::string& host);
  OnceMap<Known> known_;
  OnceMap<Result<std::string>> helped_;
};

}  // namespace xplan::hosts
