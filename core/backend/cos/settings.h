// The settings of the backend "cos": its arguments as a table, and what they mean together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: a file of credentials, if a profile is named.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cloud/tencent_client.h"
#include "core/schema/schema.h"

namespace xplan::backend::cos {

struct CosSettings {
  std::string bucket, prefix, key, acl;  // prefix: without slashes around it
  std::string base;                      // of the bucket's URLs: https://BUCKET.cos.REGION.myqcloud.com
  bool encrypt = true;
  cloud::TencentSettings tencent;
};

const schema::Block& cos_schema();
Result<CosSettings> read_settings(const Value& settings);

}  // namespace xplan::backend::cos
