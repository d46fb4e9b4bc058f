// The CLI configuration of the user who runs this, for those who only want to know of hosts.
#include "core/hosts/user_hosts.h"

#include <cstdlib>
#include <mutex>
#include <optional>

#include "core/hosts/discovery.h"
#include "core/net/redact.h"
#include "core/net/url.h"

extern char** environ;

namespace xplan::hosts {

struct UserHosts::Impl {
  std::mutex mutex;
  CliConfig config;
  Http http;
  Services services{config, http};
  std::optional<Result<void>> loaded;

  Result<void> load() {
    std::lock_guard lock(mutex);
    if (loaded) return *loaded;
    SourceTable sources;
    Diagnostics diags;
    config = load_cli_config(sources, &std::getenv, environ, diags);
    http.retries = config.limits.retries, http.seconds = config.limits.seconds;
    loaded.emplace();
    for (const Diagnostic& d : diags.all())
      if (d.severity == Severity::Error || d.summary == kUnreadableCliFile || d.summary == kMissingCliFile) {
        std::string why = d.detail;
        while (why.ends_with('.')) why.pop_back();
        why[0] = why.starts_with("Cannot ") ? 'c' : why[0];  // inside a sentence
        loaded.emplace(Error{"the CLI configuration cannot be used: " + why});
        break;
      }
    return *loaded;
  }
};

UserHosts::UserHosts(Stop stop) : impl_(std::make_unique<Impl>()) {
  impl_->http.stop = stop;
}
UserHosts::~UserHosts() = default;

Result<std::string> UserHosts::service(const std::string& host, const std::string& name) {
  if (Result<void> ok = impl_->load(); !ok) return ok.error();
  Result<std::string> url = impl_->services.find(host, name);
  if (url && !net::uses_https(*url))
    return Error{"the host " + host + " has its service at " + net::shown_address(*url) +
                 ", which is not an https URL"};
  if (url && !impl_->services.trusts(host, *url))
    return Error{"the host " + host + " redirects to another one, which says that the service is at " +
                 net::shown_address(*url) + "; the token for " + host + " is not sent there"};
  return url;
}

Result<std::string> UserHosts::token(const std::string& host) {
  if (Result<void> ok = impl_->load(); !ok) return ok.error();
  return impl_->services.token(host);
}

}  // namespace xplan::hosts
