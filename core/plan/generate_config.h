// Configuration for import blocks that lead to a resource without a block.
//
// Who calls it: cmd (plan -generate-config-out), before planning: the text becomes a file of the
// configuration, which is loaded again and planned like any other. Contract: only what is not declared yet,
// in the root module, and one object: for_each and instance keys cannot be generated and are reported, as is
// an object that cannot be imported or read. Values known before anything is planned can be used in ids and
// provider configurations: variables, locals, objects of the state. Why so: saving and applying need to know
// nothing of it, and planning only what was imported and read already, PlanOptions::imported. A provider that
// says itself what would be configured is asked, and not trusted. Cost: as evaluate_world(), two or three
// provider calls per object.  Thread-safety: one thread.
#pragma once
#include <string>
#include <vector>

#include "core/plan/planner.h"

namespace xplan {

struct GeneratedConfig {
  AbsInstance addr;
  KnownImport from;
  std::string text;  // the resource block, without a newline at the end
};
bool can_generate(const config::Import& i);  // whether it is of one object in the root module
std::vector<GeneratedConfig> generate_config(const config::Config& config, const State& state,
                                             const PlanOptions& options, ProviderFactory& providers,
                                             Diagnostics& diags);

}  // namespace xplan
