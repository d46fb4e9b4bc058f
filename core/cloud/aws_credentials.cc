// Keeping keys, and fetching others before they end.
#include "core/cloud/aws_credentials.h"

#include <algorithm>

#include "core/cloud/aws_sources.h"

namespace xplan::cloud {
namespace {

constexpr int64_t kAhead = 300;   // seconds before the end
constexpr int64_t kAtLeast = 30;  // between two attempts, however short keys live

}  // namespace

Result<AwsKeys> AwsCredentials::keys(const std::string& refused) {
  std::lock_guard lock(mutex_);
  const bool fresh = keys_ && keys_->access_key == refused;
  const int64_t now = client_.now();
  if (keys_ && !fresh && (renew_at_ == 0 || now < renew_at_)) return *keys_;
  Result<AwsKeys> found = find_keys({settings_, client_, keys_ ? nullptr : stop_});
  if (!found && keys_ && !fresh && now < keys_->expires) {
    renew_at_ = std::min(now + kAtLeast, keys_->expires);
    return *keys_;
  }
  if (!found) return found;
  keys_ = std::move(*found);
  renew_at_ =
      keys_->expires == 0 ? 0 : std::max(keys_->expires - kAhead, std::min(keys_->expires, now + kAtLeast));
  return *keys_;
}

}  // namespace xplan::cloud
