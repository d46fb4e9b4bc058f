// Signatures of requests to Azure's storage services with the key of an account (Shared Key).
//
// Who calls it: whoever authorizes requests to blobs (backend azurerm), before every attempt.
// Contract: the date of the request is added; no header that begins with "x-ms-", and none of those that HTTP
// itself has, may be changed or added afterwards. The key never occurs in anything but the signature. Cost:
// linear in the headers.  Thread-safety: pure.
#pragma once
#include <cstdint>
#include <string>

#include "core/net/client.h"

namespace xplan::cloud {

struct AzureAccountKey {
  std::string account, key;  // key: its bytes
};
void sign(net::Request& r, const AzureAccountKey& key, int64_t now);

}  // namespace xplan::cloud
