// What an answer of Azure says about a failure.
//
// Who calls it: the sources of tokens, azure_client.cc, the backend azurerm.
// Contract: answers are hostile. A text that goes into a message is on one line, of at most 300 characters,
// without control characters, and never a token. Cost: linear in the answer, which is looked at up to 64 KiB.
// Thread-safety: pure.
#pragma once
#include <string>

#include "core/net/client.h"

namespace xplan::cloud {

struct AzureFailure {
  std::string code, message;  // empty where the answer does not say
};
AzureFailure azure_failure_of(const net::Answer& a);  // XML or JSON, of any of the services

// "404 Not Found (ContainerNotFound: The specified container does not exist.)", with what would help where
// that is known.
std::string describe_azure_failure(const net::Answer& a);

}  // namespace xplan::cloud
