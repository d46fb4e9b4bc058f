// Keeping tokens, and fetching others before they end.
#include "core/cloud/azure_identity.h"

#include <algorithm>

#include "core/cloud/azure_sources.h"

namespace xplan::cloud {
namespace {

constexpr int64_t kAzureTokenAhead = 300;   // seconds before the end
constexpr int64_t kAzureTokenAtLeast = 30;  // between two attempts, however short tokens live

}  // namespace

Result<std::string> AzureTokens::token(const AzureCloud& cloud, const std::string& resource,
                                       const std::string& refused) {
  std::lock_guard lock(mutex_);
  const int64_t now = client_.now();
  const auto kept = kept_.find(resource);
  const bool any = kept != kept_.end(), fresh = any && kept->second.token.text == refused;
  if (any && !fresh && now < kept->second.renew_at) return kept->second.token.text;
  Result<AzureToken> found =
      find_token({identity_, cloud, client_, kept_.empty() ? stop_ : nullptr}, resource);
  if (!found && any && !fresh && now < kept->second.token.expires) {
    kept->second.renew_at = std::min(now + kAzureTokenAtLeast, kept->second.token.expires);
    return kept->second.token.text;
  }
  if (!found) return found.error();
  const int64_t renew_at =
      std::max(found->expires - kAzureTokenAhead, std::min(found->expires, now + kAzureTokenAtLeast));
  return (kept_[resource] = {std::move(*found), renew_at}).token.text;
}

}  // namespace xplan::cloud
