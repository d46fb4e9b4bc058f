// Saves the plan of a run together with its configuration, lock file and schemas; loads that configuration
// from an opened plan.
#include "planfile/saved_run.h"

#include <filesystem>

#include "core/install/lock_file.h"
#include "core/install/package_dir.h"
#include "core/plan/create_first.h"
#include "core/review/redact.h"
#include "core/review/redact_sources.h"

namespace xplan::planfile {

namespace {

std::string lock_file_of(const run::Context& c) {
  Result<std::string> lock = c.files.read(std::string(install::kLockFileName));
  return lock ? std::move(*lock) : std::string();
}

Result<void> write_review(const std::string& path, const Plan& plan, const config::Config& config,
                          std::string lock_file, SavedSchemas schemas, const schema::Lookup& lookup,
                          std::string digest) {
  review::Redactor redactor;
  Plan redacted = redactor.plan(plan, config, lookup);
  redacted.review = ReviewHalf{std::move(digest)};
  const review::SourceMask mask(config, redactor.secrets());
  ConfigSnapshot snapshot = snapshot_of(config, [&](const syntax::File& f) { return mask.masked(f); });
  for (ConfigModule& m : snapshot.modules) m.source = review::masked_source(std::move(m.source));
  snapshot.lock_file = std::move(lock_file);
  snapshot.schemas = std::move(schemas);
  return write(path, redacted, snapshot, lookup);
}

}  // namespace

Result<void> save(const std::string& path, const run::Context& c, const run::Planned& planned) {
  ConfigSnapshot snapshot = snapshot_of(*planned.config);
  snapshot.lock_file = lock_file_of(c);
  snapshot.schemas = SavedSchemas::collect(planned.plan, *planned.config, c.schemas);
  crypt::Codec& codec = c.plan_codec ? *c.plan_codec : *planned.state.encryption.plan();
  return write(path, planned.plan, snapshot, c.schemas.lookup(), codec);
}

Result<void> save_review(const std::string& path, const run::Context& c, const run::Planned& planned,
                         std::string digest) {
  return write_review(path, planned.plan, *planned.config, lock_file_of(c),
                      SavedSchemas::collect(planned.plan, *planned.config, c.schemas), c.schemas.lookup(),
                      std::move(digest));
}

Result<void> save_review(const std::string& path, const run::Context& c, const Opened& opened,
                         const config::Config& config, std::string digest) {
  return write_review(path, opened.plan, config, opened.lock_file, opened.schemas,
                      opened.schemas.lookup(c.schemas.lookup()), std::move(digest));
}

Result<Opened> review_half_of(const run::Context& c, const Opened& opened, const config::Config& config,
                              std::string digest) {
  // By way of a file, so that what is shown is what that file would have.
  std::error_code ec;
  const auto parent = std::filesystem::temp_directory_path(ec);
  if (ec) return Error{"there is no directory for temporary files: " + ec.message()};
  const Result<install::TemporaryDir> dir = install::TemporaryDir::beside((parent / "xplan-review").string());
  if (!dir) return dir.error();
  const std::string path = join_path(dir->path(), "plan");
  if (const Result<void> ok = save_review(path, c, opened, config, std::move(digest)); !ok) return ok.error();
  return read(path, c.schemas.lookup());
}

namespace {

// As they were when the plan was made.
config::VariableValues values_of(const std::vector<PlanVariable>& planned, const config::Module& root,
                                 Diagnostics& diags) {
  config::InputValues values;
  for (const PlanVariable& v : planned)
    if (!v.from_default && !v.ephemeral && root.find_variable(v.name) >= 0)
      values[v.name] = {v.value, {}, config::InputValue::From::SavedPlan, "the saved plan"};
  return config::finalize_inputs(root, values, diags);
}

}  // namespace

std::unique_ptr<config::Config> load_config(Opened& opened, const run::Context& c, SchemasOf from,
                                            Diagnostics& diags) {
  config::LoadOptions o;
  o.root_dir = opened.root_dir;
  o.data_dir = opened.data_dir;
  o.stop = c.stop;
  if (from == SchemasOf::Providers) o.before_schemas = c.before_schemas;
  o.early.variables = [planned = opened.plan.variables](const config::Module& root, Diagnostics& found) {
    return values_of(planned, root, found);
  };
  o.early.cwd = c.cwd, o.early.workspace = opened.plan.workspace;
  const auto saved = opened.schemas.source(c.schemas);
  auto config =
      config::load(opened.fs, c.sources, o, from == SchemasOf::Plan ? saved.get() : &c.schemas, diags);
  opened.fs.files.clear();  // from here on, the sources have the texts
  if (opened.of_reference && config && !diags.has_errors()) derive_create_first(opened.plan, *config);
  return config;
}

}  // namespace xplan::planfile
