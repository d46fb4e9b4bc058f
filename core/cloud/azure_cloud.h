// The clouds that Azure consists of: where to log in, the management API, names of storage accounts.
//
// Who calls it: the backend azurerm.
// Contract: names are those of the reference tools, in whatever case. What a metadata host says of its cloud
// is checked: it must be https addresses and a suffix of host names.  Cost: one request for a metadata host.
// Thread-safety: any thread.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/stop.h"
#include "core/cloud/azure_client.h"

namespace xplan::cloud {

struct AzureCloud {
  std::string login, management;  // URLs without a slash at their end
  std::string storage_suffix;     // of ACCOUNT.blob.SUFFIX
};
std::optional<AzureCloud> azure_cloud_named(std::string_view name);
Result<AzureCloud> azure_cloud_at(AzureClient& client, const std::string& host, Stop stop);

inline constexpr const char* kAzureStorage = "https://storage.azure.com";  // the resource of tokens

}  // namespace xplan::cloud
