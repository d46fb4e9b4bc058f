// GoogleToken: an access token for Google's services, found where the reference tools look for credentials,
// and renewed in time.
//
// Who calls it: google_client.cc.
// Contract: sources in this order: a token of the settings; credentials of the settings, as JSON or the path
// of such a file; the file that GOOGLE_APPLICATION_CREDENTIALS names; that of gcloud; the metadata service of
// the machine. Service accounts, users, impersonated accounts and federated identities with a token in a file
// or behind a URL are understood. A service account of the settings is impersonated with what was found.
// Tokens are kept, renewed when less than four minutes of them are left, and used to their end where that
// fails. Secrets go over https, and to this machine. Errors name where was looked, never keys or tokens.
// Cost: files are read, and services asked, by the first call and for each renewal.  Thread-safety: any
// thread; one fetches (renewed.h).
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/secret.h"
#include "core/base/stop.h"
#include "core/cloud/renewed.h"
#include "core/net/client.h"

namespace xplan::cloud {

// The scope that covers all services, and exchanging tokens for others.
inline constexpr const char* kCloudPlatform = "https://www.googleapis.com/auth/cloud-platform";

struct GoogleSettings {
  std::string credentials, impersonate;
  std::vector<std::string> delegates;
  Secret access_token;
  std::vector<std::string> scopes;
  std::string universe = "googleapis.com";                // the domain of the services
  std::function<std::string(const char* name)> variable;  // of the environment
};

struct GoogleAccess {
  Secret token;
  std::string project;  // that pays for requests; "": that of what is asked for
  int64_t expires = 0;  // 0: nobody knows
  GoogleAccess copy() const { return {token.copy(), project, expires}; }
};

class GoogleToken {
 public:
  // `stop` ends the first search alone: what runs until the end of a run renews its token until then.
  GoogleToken(GoogleSettings settings, net::Client& client, Stop stop)
      : settings_(std::move(settings)), client_(client), stop_(stop), kept_(kAhead) {}
  // `refused`: a token that was; whoever comes while there is another one gets that.
  Result<GoogleAccess> access(std::string_view refused = {});
  // Whether there can be another one than that of the settings.
  bool renewable() const { return settings_.access_token.empty() || !settings_.impersonate.empty(); }

 private:
  static constexpr int64_t kAhead = 225;  // seconds; metadata services give new ones 300 before the end
  const GoogleSettings settings_;
  net::Client& client_;
  const Stop stop_;
  Renewed<GoogleAccess> kept_;
};

}  // namespace xplan::cloud
