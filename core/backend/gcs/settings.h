// The settings of the backend "gcs": its arguments as a table, and what they mean together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: a file with a key, if one is named.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/cloud/google_token.h"
#include "core/schema/schema.h"

namespace xplan::backend::gcs {

inline constexpr std::string_view kAdditions[] = {"universe_domain"};

struct GcsSettings {
  std::string bucket, prefix;         // prefix: without slashes around it
  std::string base;                   // of the service's URLs: …/storage/v1/
  std::string customer_key, kms_key;  // customer_key: 32 bytes
  bool anonymous = false;             // an emulator, which wants no token
  cloud::GoogleSettings google;
};

const schema::Block& gcs_schema();
Result<GcsSettings> read_settings(const Value& settings);

}  // namespace xplan::backend::gcs
