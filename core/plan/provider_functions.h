// Provider functions: the functions of a provider's schema, callable as provider::LOCAL::NAME.
//
// Who calls it: World, for each module that requires a provider with functions.
// Contract: calls go to an instance of the provider that need not be configured; its answer is checked
// against the declared result type, and against earlier results for the same arguments, where the table
// notes them. The provider lives as long as the table's functions do. Cost: one call of
// the provider a call; none when an argument is unknown and the parameter does not take that. Thread-safety:
// as the provider's own: calls may come from several threads. With AskProviders::No all results are unknown.
#pragma once
#include <memory>
#include <string_view>

#include "core/eval/eval.h"
#include "core/eval/function.h"
#include "core/provider/provider.h"

namespace xplan {

// `address`: of the provider, as text.
void register_provider_functions(eval::FunctionTable& table, std::string_view local_name,
                                 const std::string& address, const std::shared_ptr<Provider>& provider,
                                 AskProviders ask);

}  // namespace xplan
