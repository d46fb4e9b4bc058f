#include "core/config/bind.h"
#include "core/config/cycles.h"
#include "core/config/providers.h"
#include "core/config/tree.h"

namespace xplan::config {
namespace {

struct Pass {
  size_t misfits = 0;  // problems that may come from an outdated schema
  bool prepared = false;
  Diagnostics preparation;  // what before_schemas() had to say, the one time
};

std::unique_ptr<Config> load_once(Fs& fs, SourceTable& sources, const LoadOptions& options,
                                  SchemaSource* schemas, Pass& pass, Diagnostics& diags) {
  auto config = std::make_unique<Config>();
  const Tree tree = build_tree(*config, fs, sources, options, diags);
  // Where a file could not be parsed, what it declares is missing: every further report might be wrong. The
  // same passes run all the same, because what they fill in is part of a usable result.
  Diagnostics ignored;
  Diagnostics& further = options.structure_only || tree.syntax_errors ? ignored : diags;
  if (options.before_schemas && !options.structure_only && !pass.prepared)
    options.before_schemas(*config, pass.preparation);
  pass.prepared = true;
  for (const Diagnostic& d : pass.preparation.all()) further.add(d);
  SchemaLookup lookup(options.structure_only ? nullptr : schemas);
  const size_t before = further.error_count();
  for (const std::unique_ptr<Module>& m : config->modules) {
    auto first = tree.first_node.find(m.get());
    if (first == tree.first_node.end()) continue;
    bind_module(*m, *first->second, lookup, tree.layered.at(m.get()), further);
  }
  pass.misfits = further.error_count() - before;
  check_interfaces(*config, tree, further);
  resolve_providers(*config, sources, further);
  if (!options.structure_only && !tree.syntax_errors) check_cycles(*config, sources, diags);
  return config;
}

}  // namespace

std::unique_ptr<Config> load(Fs& fs, SourceTable& sources, const LoadOptions& options, SchemaSource* schemas,
                             Diagnostics& diags) {
  Pass pass;
  Diagnostics own;
  auto config = load_once(fs, sources, options, schemas, pass, own);
  if (pass.misfits > 0 && schemas && schemas->renew()) {
    own.clear();
    config = load_once(fs, sources, options, schemas, pass, own);
  }
  diags.append(std::move(own));
  return config;
}

}  // namespace xplan::config
