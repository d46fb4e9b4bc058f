// Keeping tokens, and fetching others before they end.
#include "core/cloud/azure_identity.h"

#include "core/cloud/azure_sources.h"

namespace xplan::cloud {

Renewed<AzureToken>& AzureTokens::kept(const std::string& resource) {
  std::lock_guard lock(mutex_);
  return kept_.try_emplace(resource, 300, [this] { return client_.now(); }).first->second;
}

Result<std::string> AzureTokens::token(const AzureCloud& cloud, const std::string& resource,
                                       const std::string& refused) {
  const Result<AzureToken> found = kept(resource).get(
      [&](bool) {
        return find_token({identity_, cloud, client_, found_ ? nullptr : stop_}, resource);
      },
      [&refused](const AzureToken& token) { return token.text == refused; });
  if (!found) return found.error();
  found_ = true;
  return found->text;
}

}  // namespace xplan::cloud
