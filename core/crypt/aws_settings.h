// The arguments that say how AWS is reached and as whom: those of the backend "s3", for key providers.
//
// Who calls it: aws_kms.cc.  Contract: what is wrong is reported by the arguments; secrets are in no message.
// Arguments that are not set come from the environment, as the reference tools have it. Cost: a file of
// certificates, if one is named.  Thread-safety: pure.
#pragma once
#include <optional>
#include <string>

#include "core/cloud/aws_credentials.h"
#include "core/crypt/arguments.h"
#include "core/crypt/encryption.h"

namespace xplan::crypt {

struct AwsAccess {
  cloud::AwsSettings aws;
  std::string region, kms_endpoint;
  net::ClientOptions client;
  int retries = 4;
  std::vector<std::string> allowed_accounts, forbidden_accounts;
};
// Nothing: after reporting.
std::optional<AwsAccess> read_aws_access(const Arguments& a, const Environment& environment);

inline constexpr ArgumentRow kAwsEndpoints[] = {{"iam"}, {"kms"}, {"sts"}};

}  // namespace xplan::crypt
