// -generate-config-out: writes configuration for import blocks without a resource block, and plans with it.
//
// Who calls it: plan.cc, between opening the state and planning.
// Contract: the file must not exist before. It is written even if planning with it fails then, so that it can
// be corrected; in the plan it is part of the configuration wherever it lies.  Thread-safety: one thread.
// Cost: nothing without the flag; with it the configuration is loaded twice.
#pragma once
#include <string>

#include "core/plan/generate_config.h"
#include "core/run/run.h"

namespace xplan::run {

// Why the root module does not read a file of this path as one of its own; null: it does.
const char* why_not_read(const std::string& path);
// Reports a file that is in the way; false then.
bool check_generated_path(const Context& c, const std::string& path, Diagnostics& diags);
// Generates, writes the file and loads the configuration again. What was made, for the changes; empty when
// there was nothing to make, or after an error.
std::vector<GeneratedConfig> add_generated_config(const Context& c, const std::string& path,
                                                  const PlanOptions& options, Planned& p, Diagnostics& diags);
// Puts each text where its change tells of it.
void note_generated_config(const std::vector<GeneratedConfig>& made, Plan& plan);

}  // namespace xplan::run
