// Saves the plan of a run with all that it was made from, and opens it again.
//
// Who calls it: cmd.  Contract: what is saved and opened again is the same plan with the same configuration.
// Cost: linear; configuration texts are held once.  Thread-safety: one thread.
#pragma once
#include "core/run/run.h"
#include "planfile/planfile.h"

namespace xplan::planfile {

Result<void> save(const std::string& path, const run::Context& c, const run::Planned& planned);
// The review half (core/review/redact.h) of the plan just made, or of one that was opened. It is never
// encrypted: there is nothing to hide in it. `digest`: of the plan's effects, if it is known; what is left of
// the plan cannot tell.
Result<void> save_review(const std::string& path, const run::Context& c, const run::Planned& planned,
                         std::string digest);
Result<void> save_review(const std::string& path, const run::Context& c, const Opened& opened,
                         const config::Config& config, std::string digest);

// That half of a plan that was opened, as if it had been saved and opened itself.
Result<Opened> review_half_of(const run::Context& c, const Opened& opened, const config::Config& config,
                              std::string digest);

// To apply a plan takes the providers' schemas of today; to look at it, those that are saved with it will do.
enum class SchemasOf { Providers, Plan };
// The configuration that it was made from; afterwards only the sources have its texts.
std::unique_ptr<config::Config> load_config(Opened& opened, const run::Context& c, SchemasOf from,
                                            Diagnostics& diags);

}  // namespace xplan::planfile
