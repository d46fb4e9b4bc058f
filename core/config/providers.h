// Which provider a name means, and which provider configuration each resource of each module path uses.
//
// Who calls it: load.cc (configurations of all module paths); bind.cc, decode_resource.cc, reference.cc and
// test_files.cc (names); install, plan and render for the same names.
// Rules: a local name means what required_providers says, else the default provider of that name. A module
// gets the default configurations of its caller without being asked; additional ones (aliases) are passed by
// name. Cost: O(depth) per distinct provider and alias of a module path, remembered. Thread-safety: names:
// pure functions; configurations: one thread.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

Symbol implied_local_name(Symbol resource_type);  // aws_instance → aws
ProviderAddr provider_of(const Module& m, Symbol local_name);
const RequiredProvider* required_provider(const Module& m, Symbol local_name);  // null: not named there

// Fills in the providers of all resources and configurations and Node::resource_providers, and checks what
// module calls pass: what is wrong with the calls themselves goes to `structure`, what would be found missing
// only when it is used to `diags`.
void resolve_providers(Config& config, SourceTable& sources, Diagnostics& structure, Diagnostics& diags);

// A root module has no caller that could pass what its configuration_aliases expect.
void check_root_configurations(const Config& config, Diagnostics& diags);

}  // namespace xplan::config
