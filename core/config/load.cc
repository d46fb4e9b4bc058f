// The passes of loading a configuration, in order: module tree, structure, providers, binding, cycles, test
// files; and loading once more when a schema was outdated. Start here to follow a load.
#include "core/config/bind.h"
#include "core/config/cycles.h"
#include "core/config/providers.h"
#include "core/config/structure.h"
#include "core/config/test_files.h"
#include "core/config/tree.h"

namespace xplan::config {
namespace {

struct Pass {
  size_t misfits = 0;  // problems that may come from an outdated schema
  bool prepared = false;
  Diagnostics preparation;  // what before_schemas() had to say, the one time
};

void take_late(Module& m, Diagnostics& diags) {
  for (const std::unique_ptr<syntax::File>& f : m.files) syntax::take_late(*f, diags);
  diags.append(std::move(m.late));
}

std::unique_ptr<Config> load_once(Fs& fs, SourceTable& sources, const LoadOptions& options,
                                  SchemaSource* schemas, Pass& pass, Diagnostics& diags) {
  auto config = std::make_unique<Config>();
  const Tree tree = build_tree(*config, fs, sources, options, diags);
  // Where a file could not be parsed, what it declares is missing: every further report might be wrong. The
  // same passes run all the same, because what they fill in is part of a usable result.
  Diagnostics ignored;
  Diagnostics& structure = tree.syntax_errors ? ignored : diags;
  Diagnostics& further = options.structure_only ? ignored : structure;
  for (const std::unique_ptr<Module>& m : config->modules) check_structure(*m, structure);
  resolve_providers(*config, sources, structure, further);
  check_interfaces(*config, tree, structure, further);
  // In a directory without a configuration there is nothing to prepare, but tests can be wrong.
  if (options.test_dir && !(options.structure_only && config->root->module->files.empty()))
    config->tests = read_test_files(fs, sources, *config, options.root_dir, *options.test_dir,
                                    options.data_dir, structure);
  bool with_schemas = !options.structure_only;
  if (options.before_schemas && with_schemas && !pass.prepared) {
    options.before_schemas(*config, pass.preparation);
    pass.prepared = true;
  }
  // That providers are missing follows from what is wrong with the structure: init refuses it as well.
  if (diags.has_errors() && pass.preparation.has_errors())
    with_schemas = false;
  else
    for (const Diagnostic& d : pass.preparation.all()) further.add(d);
  SchemaLookup lookup(with_schemas ? schemas : nullptr);
  const size_t before = further.error_count();
  for (const std::unique_ptr<Module>& m : config->modules) {
    auto first = tree.first_node.find(m.get());
    if (first == tree.first_node.end()) continue;
    bind_module(*m, *first->second, lookup, tree.layered.at(m.get()), further);
  }
  for (const std::unique_ptr<Module>& m : config->modules) take_late(*m, further);
  for (const std::unique_ptr<Module>& m : config->tests.files) take_late(*m, further);
  pass.misfits = further.error_count() - before;
  if (!options.structure_only && !tree.syntax_errors && !options.stopping())
    check_cycles(*config, sources, diags);
  return config;
}

}  // namespace

std::unique_ptr<Config> load(Fs& fs, SourceTable& sources, const LoadOptions& options, SchemaSource* schemas,
                             Diagnostics& diags) {
  Pass pass;
  Diagnostics own;
  auto config = load_once(fs, sources, options, schemas, pass, own);
  if (schemas && !options.stopping() && schemas->renew(pass.misfits > 0 ? Renew::All : Renew::Unsettled)) {
    own.clear();
    config = load_once(fs, sources, options, schemas, pass, own);
  }
  if (options.stopping()) {  // what was reported may follow from what was not read, or not loaded once more
    own.clear();
    own.error("Loading was interrupted",
              "The run was stopped before the configuration was loaded. Nothing was changed.");
  }
  diags.append(std::move(own));
  return config;
}

}  // namespace xplan::config
