// The passes of loading a configuration, in order: module tree, structure, providers, binding, cycles, test
// files; and loading once more when a schema was outdated. Start here to follow a load.
#include <algorithm>

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

// Whether anything in the configuration could mean the provider by that name.
bool names_provider(const Config& config, Symbol local_name) {
  if (required_provider(*config.root->module, local_name)) return true;
  return std::any_of(config.modules.begin(), config.modules.end(), [&](const auto& m) {
    return std::any_of(m->providers.begin(), m->providers.end(),
                       [&](const ProviderConfig& p) { return p.local_name == local_name; }) ||
           std::any_of(m->resources.begin(), m->resources.end(), [&](const Resource& r) {
             return (r.provider_ref ? r.provider_ref->local_name : implied_local_name(r.addr.type)) ==
                    local_name;
           });
  });
}

void take_test_providers(const Config& config, const std::vector<ProviderConfig>& given, Tree& tree) {
  Module& root = *config.root->module;
  for (const ProviderConfig& p : given) {
    if (!names_provider(config, p.local_name)) continue;
    const auto own = std::find_if(root.providers.begin(), root.providers.end(), [&](const ProviderConfig& c) {
      return c.local_name == p.local_name && c.alias == p.alias;
    });
    if (own == root.providers.end()) {
      root.providers.push_back(p);
      continue;
    }
    const auto index = static_cast<uint32_t>(own - root.providers.begin());
    std::erase_if(tree.layered.at(&root),
                  [&](const LayeredBody& l) { return l.of_provider && l.index == index; });
    *own = p;
  }
}

// In place of those that test files may give.
std::vector<ProviderConfig> expected_of_callers(const Module& root) {
  std::vector<ProviderConfig> out;
  for (const RequiredProvider& r : root.required_providers)
    for (Symbol alias : r.configuration_aliases) {
      ProviderConfig& p = out.emplace_back();
      p.local_name = r.local_name, p.alias = alias, p.provider = r.provider, p.range = r.range;
      p.of_test = p.mocked = true;
    }
  return out;
}

void take_late(Module& m, Diagnostics& diags) {
  for (const std::unique_ptr<syntax::File>& f : m.files) syntax::take_late(*f, diags);
  diags.append(std::move(m.late));
}

std::unique_ptr<Config> load_once(Fs& fs, SourceTable& sources, const LoadOptions& options,
                                  SchemaSource* schemas, Pass& pass, Diagnostics& diags) {
  auto config = std::make_unique<Config>();
  config->tests = std::make_shared<TestSuite>();
  Tree tree = build_tree(*config, fs, sources, options, diags);
  // Where a file could not be parsed, what it declares is missing: every further report might be wrong. The
  // same passes run all the same, because what they fill in is part of a usable result.
  Diagnostics ignored;
  Diagnostics& structure = tree.syntax_errors ? ignored : diags;
  Diagnostics& further = options.structure_only ? ignored : structure;
  take_test_providers(*config, options.test_providers, tree);
  if (options.for_tests) take_test_providers(*config, expected_of_callers(*config->root->module), tree);
  for (const std::unique_ptr<Module>& m : config->modules) check_structure(*m, structure);
  resolve_providers(*config, sources, structure, further);
  check_interfaces(*config, tree, structure, further);
  // In a directory without a configuration there is nothing to prepare, but tests can be wrong.
  if (options.test_dir && !(options.structure_only && config->root->module->files.empty()))
    config->tests = read_test_files({fs, options.root_dir, *options.test_dir, options.data_dir}, sources,
                                    *config, structure);
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
  for (const TestFile& f : config->tests->files) take_late(*f.module, further);
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
