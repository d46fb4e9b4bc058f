// -generate-config-out: writes configuration for import blocks without a resource block, and plans with it.
//
// Who calls it: operation.cc, between opening the state and planning.
// Contract: the file must not exist before. It is written even if planning with it fails then, so that it can
// be corrected; in the plan it is part of the configuration wherever it lies.  Thread-safety: one thread.
// Cost: nothing without the flag; with it the configuration is loaded twice.
#pragma once
#include <string>

#include "cmd/xplan/operation.h"
#include "core/plan/generate_config.h"

namespace xplan::cmd {

// Reports a file that is in the way; false then.
bool check_generated_path(Session& s, const std::string& path);
// Generates, writes the file and loads the configuration again. What was made, for the changes; empty when
// there was nothing to make, or after an error.
std::vector<GeneratedConfig> add_generated_config(Session& s, const std::string& path,
                                                  const PlanOptions& options, Planned& p);
// Puts each text where its change tells of it.
void note_generated_config(const std::vector<GeneratedConfig>& made, Plan& plan);

}  // namespace xplan::cmd
