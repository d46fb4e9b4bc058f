// The settings of the backend "s3": its arguments as a table, and what they mean together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: a file of certificates, if one is named.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cloud/aws_credentials.h"
#include "core/schema/schema.h"

namespace xplan::backend::s3 {

struct S3Settings {
  std::string state_tags, lock_tags;  // as queries have them
  std::string bucket, key, prefix;    // prefix: of workspaces
  std::string region, s3_endpoint, dynamodb_endpoint, table;
  std::string acl, kms_key, customer_key;
  bool encrypt = false, lockfile = false, path_style = false, checksums = true;
  bool ask_account = true;  // who the credentials belong to, before anything else
  std::vector<std::string> allowed_accounts, forbidden_accounts;
  int retries = 4;
  net::ClientOptions client;
  cloud::AwsSettings aws;
};

const schema::Block& s3_schema();
Result<S3Settings> read_settings(const Value& settings);

}  // namespace xplan::backend::s3
