// The settings of the backend "azurerm": its arguments, and what they mean together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: the files that are named.  Thread-safety: pure, but for reading files and the environment.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cloud/azure_identity.h"
#include "core/schema/schema.h"

namespace xplan::backend::azurerm {

struct AzurermSettings {
  std::string account, container, key;
  // The first of these that is set tells how requests are authorized; else with a key of the account, which
  // the identity asks for.
  std::string access_key;  // its bytes
  std::string sas_token;   // arguments of a URL
  bool as_identity = false;
  std::string subscription, group;
  bool lookup = false;                         // the endpoint
  std::string customer_key, encryption_scope;  // customer_key: its 32 bytes
  int64_t seconds = 0;                         // that a request may take; 0: as long as it takes
  bool snapshot = false;
  cloud::AzureCloud cloud;
  std::string metadata_host;  // that knows the cloud, instead
  cloud::AzureIdentity identity;
  int retries = 5;
  net::ClientOptions client;
};

const schema::Block& azurerm_schema();
Result<AzurermSettings> read_settings(const Value& settings);

}  // namespace xplan::backend::azurerm
