// Services: where a host has its registries, and the token for it.
//
// Who calls it: registries of providers and modules.
// Rules: the CLI configuration's "host" blocks come first, then https://HOST/.well-known/terraform.json; URLs
// there may be relative, to where the host redirects to. A token goes over https to the one host (with its
// port) that it is for; to services elsewhere only when such a block names them, or the host itself does.
// Cost: one request per host.  Thread-safety: any thread.
#pragma once
#include <map>
#include <string>

#include "core/install/cli_config.h"
#include "core/install/http.h"
#include "core/install/once_map.h"

namespace xplan::install {

class Services {
 public:
  Services(const CliConfig& config, Http& http) : config_(config), http_(http) {}
  // The base URL of a service ("providers.v1", "modules.v1"), ending in a slash.
  Result<std::string> find(const std::string& host, const std::string& service);
  std::string token(const std::string& host) const;
  // Of the host, for a URL that somebody names: empty unless it leads to that host, over https.
  std::string token_for(const std::string& host, const std::string& url) const;
  // A JSON document of that service, or something that such a document names (`named`). A status other than
  // 200 is an error that names it; 404 gives an empty text.
  Result<HttpAnswer> get(const std::string& host, const std::string& url, bool named = false);

 private:
  const CliConfig& config_;
  Http& http_;
  struct Document {
    std::map<std::string, std::string> services;  // name → URL
    bool by_host = true;                          // not by another one that it redirects to
  };
  using Known = Result<Document>;
  const Known& document(const std::string& host);
  OnceMap<Known> known_;
};

}  // namespace xplan::install
