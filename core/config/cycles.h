// Finds what depends on itself: local values, variables, outputs, resources, provider configurations and
// modules, through module calls and outputs.
//
// Who calls it: load.cc, after binding, and only where every file could be parsed.
// Contract: one error per group of objects that depend on each other, showing one shortest cycle in order.
// Cost: linear in objects and references of all module paths. Thread-safety: one thread; the configuration is
// only read.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

void check_cycles(const Config& config, SourceTable& sources, Diagnostics& diags);

}  // namespace xplan::config
