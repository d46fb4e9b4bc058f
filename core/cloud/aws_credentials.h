// AwsCredentials: whom AWS takes us for, found where the field's tools look for it, and renewed in time.
//
// Who calls it: the backend s3.
// Contract: sources in this order: keys of the settings; the profile of the settings; keys, then a web
// identity, of the environment; the profile that the environment names or "default": its keys, the role that
// it is to assume, web identity, single sign-on, a program, the container service, the machine's metadata
// service. Roles of the settings are assumed on top. Keys that end are fetched again when less than five
// minutes of them are left, and used to their end where that fails. Errors name where was looked, never keys
// or tokens.  Cost: files are read, and services asked, by the first call and for each renewal.
// Thread-safety: any thread; one fetches, the others wait.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stop.h"
#include "core/cloud/aws_client.h"

namespace xplan::cloud {

struct AwsRole {
  std::string arn, session_name, external_id, policy, source_identity;
  int64_t seconds = 900;
  std::vector<std::string> policy_arns, transitive_tag_keys;
  std::map<std::string, std::string> tags;
  std::string token, token_file;  // of a web identity: one of them
};

struct AwsSettings {
  AwsKeys keys;
  std::string profile, region;
  std::vector<std::string> credentials_files, config_files;  // empty: those of the user
  std::optional<AwsRole> web_identity, role;
  std::string sts_region, sts_endpoint, sso_endpoint;
  bool metadata = true;  // the machine's metadata service may be asked
  std::string metadata_endpoint, metadata_mode;
  bool fips = false, dualstack = false;
};

// Where requests of a service go; an endpoint that is given wins.
std::string aws_endpoint(const AwsSettings& s, const std::string& service, const std::string& region,
                         const std::string& given = {});

class AwsCredentials {
 public:
  // `stop` ends the first search alone: what runs until the end of a run renews its keys until then.
  AwsCredentials(AwsSettings settings, AwsClient& client, Stop stop)
      : settings_(std::move(settings)), client_(client), stop_(stop) {}
  // `fresh`: those that there are were refused.
  Result<AwsKeys> keys(bool fresh = false);
  const AwsSettings& settings() const { return settings_; }

 private:
  const AwsSettings settings_;
  AwsClient& client_;
  const Stop stop_;
  std::mutex mutex_;
  std::optional<AwsKeys> keys_;
  int64_t renew_at_ = 0;  // 0: never
};

}  // namespace xplan::cloud
