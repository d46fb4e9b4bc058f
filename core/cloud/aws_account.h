// Whom the credentials belong to: whether their account may be used.
//
// Who calls it: the backend s3, the key provider aws_kms.  Contract: an error says why not, without keys.
// Cost: one request to STS; none where nothing is demanded.  Thread-safety: any thread.
#pragma once
#include <string>
#include <vector>

#include "core/cloud/aws_credentials.h"

namespace xplan::cloud {

Result<void> check_account(AwsClient& client, AwsCredentials& credentials, const std::string& region,
                           const std::vector<std::string>& allowed, const std::vector<std::string>& forbidden,
                           Stop stop, bool validate = false);

}  // namespace xplan::cloud
