// Which instance of a provider configuration works on a resource instance.
//
// Who calls it: planning, applying and importing, for what the configuration declares. What it does not
// declare has the instance that it was made with: provider_of() in config_graph.h.
// Contract: nothing after an error: a key that is not known, or of which there is no instance.  Cost: an
// evaluation where the configuration has for_each; none otherwise.  Thread-safety: as World.
#pragma once
#include <optional>

#include "core/plan/world.h"

namespace xplan {

// `repetition` of the resource instance, in the module instance `m`.
std::optional<ProviderConfigAddr> chosen_provider(const World& w, const ModuleInst& m, uint32_t resource,
                                                  const Repetition* repetition, Diagnostics& diags);
// Reports that there is no such instance; true where there is.
bool require_instance(const config::Config& c, const ProviderConfigAddr& a, const AbsInstance& user,
                      Diagnostics& diags);

}  // namespace xplan
