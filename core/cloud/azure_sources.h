// The sources of Azure's tokens: each asks one place.
//
// Who calls it: azure_identity.cc; azure_account.cc, for the subscription in use.
// Contract: that of azure_identity.h. Cost: a file, a program, or requests. Thread-safety: pure, but for
// reading the environment and files.
#pragma once
#include <string>

#include "core/cloud/azure_identity.h"

namespace xplan::cloud {

// What a source may use.
struct AzureAsking {
  const AzureIdentity& identity;
  const AzureCloud& cloud;
  AzureClient& client;
  Stop stop;
};
Result<AzureToken> find_token(const AzureAsking& a, const std::string& resource);

// For an application: with its secret, or what vouches for it.
Result<AzureToken> token_of_login(const AzureAsking& a, const std::string& resource);
Result<AzureToken> token_of_machine(const AzureAsking& a, const std::string& resource);
Result<AzureToken> token_of_program(const AzureAsking& a, const std::string& resource);
Result<std::string> subscription_of_program(Stop stop);

// The token of another identity provider: given, in a file, or requested.
Result<std::string> foreign_token(const AzureAsking& a);
// Signed with the key of the certificate, as RS256. `audience`: where it is used.
Result<std::string> signed_assertion(const AzureIdentity& identity, const std::string& audience, int64_t now);

// {"access_token", "expires_in" or "expires_on"}, as services give it: numbers, or strings of them.
Result<AzureToken> token_in(const net::Answer& a, const std::string& whom, int64_t now);

}  // namespace xplan::cloud
