// Between a run and the file of its plan: saving a plan with all that it was made from, and getting that
// back.
//
// Who calls it: cmd.  Contract: what is saved and opened again is the same plan with the same configuration.
// Cost: linear; configuration texts are held once.  Thread-safety: one thread.
#pragma once
#include "core/run/run.h"
#include "planfile/planfile.h"

namespace xplan::planfile {

Result<void> save(const std::string& path, const run::Context& c, const run::Planned& planned);

// To apply a plan takes the providers' schemas of today; to look at it, those that are saved with it will do.
enum class SchemasOf { Providers, Plan };
// The configuration that it was made from; afterwards only the sources have its texts.
std::unique_ptr<config::Config> load_config(Opened& opened, const run::Context& c, SchemasOf from,
                                            Diagnostics& diags);

}  // namespace xplan::planfile
