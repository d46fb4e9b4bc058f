// The arguments of the backend "azurerm" as a table.
//
// Used by: settings.cc. Cost: none.  Thread-safety: constants.
#pragma once
#include <span>

#include "core/backend/arguments.h"

namespace xplan::backend::azurerm {

inline constexpr std::string_view kAdditions[] = {"timeout_seconds", "customer_provided_key",
                                                  "encryption_scope", "ado_service_connection_id"};

std::span<const Argument> arguments();

}  // namespace xplan::backend::azurerm
