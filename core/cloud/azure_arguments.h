// Which identity arguments describe: an application, what another provider vouches for, a machine, or whoever
// uses the Azure CLI.
//
// Who calls it: the backend azurerm and the key provider azure_vault, whose arguments have the same names.
// Contract: the first source that has all that it takes counts: a certificate, a secret, another provider's
// token (given, requested by a service connection, requested otherwise), the machine, the Azure CLI. Errors
// name arguments, never secrets.  Cost: the files that are named.  Thread-safety: that of the functions.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/cloud/azure_identity.h"

namespace xplan::cloud {

struct AzureArguments {
  std::function<std::string(std::string_view name)> text;  // "" where nothing says anything
  std::function<Result<bool>(std::string_view name)> flag;
  std::function<std::string(const char* name)> variable;  // of the environment
};
Result<AzureIdentity> read_azure_identity(const AzureArguments& a);

}  // namespace xplan::cloud
