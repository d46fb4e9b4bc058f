// The settings of the backend "oss": its arguments as a table, and what they mean together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: a file of credentials, if a profile is named.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cloud/alibaba_client.h"
#include "core/schema/schema.h"

namespace xplan::backend::oss {

struct OssSettings {
  std::string bucket, prefix, key, acl;    // prefix: without slashes around it
  std::string scheme, host;                // of objects; host: empty where it is to be looked up
  std::string table, table_url, instance;  // table: empty where there is no lock
  bool encrypt = false;
  cloud::AlibabaSettings alibaba;
};

const schema::Block& oss_schema();
Result<OssSettings> read_settings(const Value& settings);

}  // namespace xplan::backend::oss
