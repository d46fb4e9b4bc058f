#include "core/config/bind.h"
#include "core/config/cycles.h"
#include "core/config/providers.h"
#include "core/config/tree.h"

namespace xplan::config {

std::unique_ptr<Config> load(Fs& fs, SourceTable& sources, const LoadOptions& options, SchemaSource* schemas,
                             Diagnostics& diags) {
  auto config = std::make_unique<Config>();
  const Tree tree = build_tree(*config, fs, sources, options, diags);
  // Where a file could not be parsed, what it declares is missing: every further report might be wrong. The
  // same passes run all the same, because what they fill in is part of a usable result.
  Diagnostics ignored;
  Diagnostics& further = options.structure_only || tree.syntax_errors ? ignored : diags;
  if (options.before_schemas && !options.structure_only) options.before_schemas(*config, diags);
  SchemaLookup lookup(options.structure_only ? nullptr : schemas);
  for (const std::unique_ptr<Module>& m : config->modules) {
    auto first = tree.first_node.find(m.get());
    if (first == tree.first_node.end()) continue;
    bind_module(*m, *first->second, sources, lookup, tree.layered.at(m.get()), further);
  }
  check_interfaces(*config, tree, further);
  resolve_providers(*config, sources, further);
  if (!options.structure_only && !tree.syntax_errors) check_cycles(*config, sources, diags);
  return config;
}

}  // namespace xplan::config
