// Saves the plan of a run together with its configuration, lock file and schemas; loads that configuration
// from an opened plan.
#include "planfile/saved_run.h"

#include "core/install/lock_file.h"

namespace xplan::planfile {

Result<void> save(const std::string& path, const run::Context& c, const run::Planned& planned) {
  ConfigSnapshot snapshot = snapshot_of(*planned.config);
  if (auto lock = c.files.read(std::string(install::kLockFileName))) snapshot.lock_file = std::move(*lock);
  snapshot.schemas = SavedSchemas::collect(planned.plan, *planned.config, c.schemas);
  return write(path, planned.plan, snapshot, c.schemas.lookup(), *planned.state.encryption.plan());
}

std::unique_ptr<config::Config> load_config(Opened& opened, const run::Context& c, SchemasOf from,
                                            Diagnostics& diags) {
  config::LoadOptions o;
  o.root_dir = opened.root_dir;
  o.data_dir = opened.data_dir;
  o.stop = c.stop;
  const auto saved = opened.schemas.source(c.schemas);
  auto config =
      config::load(opened.fs, c.sources, o, from == SchemasOf::Plan ? saved.get() : &c.schemas, diags);
  opened.fs.files.clear();  // from here on, the sources have the texts
  return config;
}

}  // namespace xplan::planfile
