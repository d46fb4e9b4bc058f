// Providers in states that were written for another default registry.
//
// Who calls it: whoever opens a state for a run of a configuration.  Contract: where the default registry is
// not Terraform's, providers of that one that the configuration does not name get the default one's names, as
// OpenTofu has it, in memory; OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=0 prevents it. Only in
// OpenTofu's dialect.  Cost: linear in the resources of the state.  Thread-safety: one thread.
#pragma once
#include "core/config/config.h"
#include "core/state/state.h"

namespace xplan::run {

void translate_providers(const config::Config& config, State& state);

}  // namespace xplan::run
