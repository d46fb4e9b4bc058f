// AwsCredentials: whom AWS takes us for, found where the reference tools look for it, and renewed in time.
//
// Who calls it: the backend s3.
// Contract: sources in this order: keys of the settings; the profile of the settings; keys, then a web
// identity, of the environment; the profile that the environment names or "default": its keys, the role that
// it is to assume, web identity, single sign-on, a program, the container service, the machine's metadata
// service. Roles of the settings are assumed on top. Keys that end are fetched again when less than five
// minutes of them are left, and used to their end where that fails. Errors name where was looked, never keys
// or tokens.  Cost: files are read, and services asked, by the first call and for each renewal.
// Thread-safety: any thread; one fetches (renewed.h).
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/stop.h"
#include "core/cloud/aws_client.h"
#include "core/cloud/renewed.h"

namespace xplan::cloud {

struct AwsRole {
  std::string arn, session_name, external_id, policy, source_identity;
  int64_t seconds = 900;
  std::vector<std::string> policy_arns, transitive_tag_keys;
  std::map<std::string, std::string> tags;
  std::string token, token_file;  // of a web identity: one of them
};

struct AwsSettings {
  bool has_arguments = true;  // keys and profile are arguments by the names access_key, secret_key, profile
  AwsKeys keys;
  std::string profile, region;
  std::vector<std::string> credentials_files, config_files;  // empty: those of the user
  std::optional<AwsRole> web_identity, role;
  std::string sts_region, sts_endpoint, sso_endpoint, sso_oidc_endpoint;
  bool metadata = true;  // the machine's metadata service may be asked
  std::string metadata_endpoint, metadata_mode;
  bool fips = false, dualstack = false;
};

// What the environment (AWS_ENDPOINT_URL) and the profile of the settings say of endpoints.
struct AwsConfigured {
  std::map<std::string, std::string, std::less<>> services;  // those that have endpoints of their own
  std::string others;                                        // that of all others; "": AWS
  bool fips = false, dualstack = false;
  std::string of(std::string_view service) const;  // s3, sts, sso_oidc; "": AWS
};
// Files that cannot be read say nothing here: the search for keys tells. Cost: two files.
std::string variable(const char* name);  // of the environment; "" where it is not set
using AwsEnvironment = std::function<std::string(const char*)>;
Result<AwsConfigured> configured_endpoints(const AwsSettings& s,
                                           const AwsEnvironment& environment = variable);
// Where requests of a service go; an endpoint that is given wins.
std::string aws_endpoint(const AwsSettings& s, const std::string& service, const std::string& region,
                         const std::string& given = {});

class AwsCredentials {
 public:
  // `stop` ends the first search alone: what runs until the end of a run renews its keys until then.
  AwsCredentials(AwsSettings settings, AwsClient& client, Stop stop)
      : settings_(std::move(settings)),
        client_(client),
        stop_(stop),
        kept_(300, [&client] { return client.now(); }) {}
  // `refused`: the access key of those that were. Whoever comes while others are there gets those: requests
  // that were under way at the same time fetch keys once.
  Result<AwsKeys> keys(const std::string& refused = {});
  const AwsSettings& settings() const { return settings_; }

 private:
  const AwsSettings settings_;
  AwsClient& client_;
  const Stop stop_;
  Renewed<AwsKeys> kept_;
};

}  // namespace xplan::cloud
