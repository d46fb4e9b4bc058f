// Profiles of Alibaba Cloud's own program, in its file config.json.
//
// Who calls it: settings.cc. Contract: an error goes on from what names the profile, and has no secrets.
// Cost: reads the file.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cloud/alibaba_client.h"

namespace xplan::backend::oss {

struct Profile {
  cloud::AlibabaKeys keys;
  std::string machine_role, region;
  cloud::AlibabaRole role;  // without an ARN where the profile assumes none
};

Result<Profile> read_profile(std::string file, const std::string& name);  // file: ~ is the home directory

}  // namespace xplan::backend::oss
