// Which provider a name means, and which provider configuration each resource of each module path uses.
//
// Who calls it: bind.cc (names), tree.cc (configurations); cmd for the provider requirements.
// Rules: a local name means what required_providers says, else the default provider of that name. A module
// gets the default configurations of its caller without being asked; additional ones (aliases) are passed by
// name. Cost: O(depth) per distinct provider and alias of a module path, remembered.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

Symbol implied_local_name(Symbol resource_type);  // aws_instance → aws
ProviderAddr provider_of(const Module& m, Symbol local_name);

// Checks the providers arguments of all module calls, and fills Node::resource_providers.
void resolve_providers(Config& config, SourceTable& sources, Diagnostics& diags);

}  // namespace xplan::config
