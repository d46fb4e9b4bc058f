// Finds what depends on itself: local values, variables, outputs, resources, provider configurations and
// modules, through module calls and outputs.
//
// Who calls it: tree.cc, after binding.
// Contract: one error per group of objects that depend on each other, showing one shortest circle in order.
// Cost: linear in objects and references of all module paths.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

void check_cycles(const Config& config, SourceTable& sources, Diagnostics& diags);

}  // namespace xplan::config
