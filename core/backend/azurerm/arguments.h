// The arguments of the backend "azurerm" as a table.
//
// Used by: settings.cc. Cost: none.  Thread-safety: constants.
#pragma once
#include <span>

#include "core/backend/arguments.h"

namespace xplan::backend::azurerm {

std::span<const Argument> arguments();

}  // namespace xplan::backend::azurerm
