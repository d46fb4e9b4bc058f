// Keeping keys, and fetching others before they end.
#include "core/cloud/aws_credentials.h"

#include "core/cloud/aws_sources.h"

namespace xplan::cloud {

Result<AwsKeys> AwsCredentials::keys(const std::string& refused) {
  return kept_.get(
      [this](bool first) {
        return find_keys({settings_, client_, first ? stop_ : nullptr});
      },
      [&refused](const AwsKeys& keys) { return keys.access_key == refused; });
}

}  // namespace xplan::cloud
