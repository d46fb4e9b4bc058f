// Storage accounts as the management API describes them: where their blobs are, and their keys.
//
// Who calls it: the backend azurerm, where it has neither a key nor a token of the account.
// Contract: answers are hostile; an endpoint must be an https URL of a host. The first key counts. An empty
// subscription is that of the Azure CLI, if that is the identity's source. Cost: a request each.
// Thread-safety: any thread.
#pragma once
#include <string>

#include "core/cloud/azure_identity.h"
#include "core/cloud/azure_signature.h"

namespace xplan::cloud {

struct AzureAccount {
  std::string subscription, group, name;
};

class AzureAccounts {
 public:
  AzureAccounts(AzureTokens& tokens, AzureClient& client, const AzureCloud& cloud, Stop stop)
      : tokens_(tokens), client_(client), cloud_(cloud), stop_(stop) {}
  // Of its blobs, without a slash at its end.
  Result<std::string> endpoint(const AzureAccount& account);
  Result<AzureAccountKey> key(const AzureAccount& account);

 private:
  Result<net::Answer> ask(const char* method, const AzureAccount& account, const std::string& what);
  AzureTokens& tokens_;
  AzureClient& client_;
  const AzureCloud& cloud_;
  const Stop stop_;
};

}  // namespace xplan::cloud
