// Loads the configurations of runs, and settles which provider configurations they get.
#include "core/test/loaded.h"

#include <algorithm>

namespace xplan::test {
namespace {

using config::ModuleCall;
using config::ProviderConfig;

const ProviderConfig* find(const config::TestFile& file, const config::ProviderRef& ref) {
  for (const ProviderConfig& p : file.module->providers)
    if (p.local_name == ref.local_name && p.alias == ref.alias) return &p;
  return nullptr;
}

// As the module names them.
std::vector<ProviderConfig> providers_of(const config::TestFile& file, const config::TestRunBlock& run,
                                         Diagnostics& diags) {
  std::vector<ProviderConfig> out;
  auto add = [&](ProviderConfig p, Symbol local_name, Symbol alias) {
    p.local_name = local_name, p.alias = alias, p.of_test = true;
    out.push_back(std::move(p));
  };
  if (!run.providers) {
    for (const ProviderConfig& p : file.module->providers) add(p, p.local_name, p.alias);
    return out;
  }
  for (const ModuleCall::Passed& x : *run.providers) {
    if (const ProviderConfig* p = find(file, x.parent))
      add(*p, x.child.local_name, x.child.alias);
    else
      diags.error(
          "Missing provider definition",
          "The argument \"providers\" refers to a provider configuration that this test file does not "
          "have. Add a block of type \"provider\" or \"mock_provider\" for it.",
          x.parent.range);
  }
  return out;
}

std::string key_of(const config::TestFile& file, const config::TestRunBlock& run) {
  std::string key = file.path + '\n' + (run.module ? run.module->dir : "") + '\n';
  if (!run.providers) return key;
  for (const ModuleCall::Passed& x : *run.providers)
    for (Symbol s : {x.child.local_name, x.child.alias, x.parent.local_name, x.parent.alias})
      key += std::string(s.sv()) + ',';
  return key + "given";
}

}  // namespace

const config::TestRunBlock& Loaded::run(Symbol name) const {
  return *std::find_if(file.runs.begin(), file.runs.end(),
                       [&](const config::TestRunBlock& r) { return r.name == name; });
}

std::unique_ptr<Loaded> Configurations::load(const config::TestFile& file, const config::TestRunBlock& run) {
  auto out = std::make_unique<Loaded>();
  Diagnostics known;  // the whole suite was read without errors before
  out->file = config::read_test_file(place_, context_.sources, under_test_, file.path, known);
  config::LoadOptions o;
  o.root_dir = run.module ? run.module->dir : place_.root_dir;
  if (run.module) o.installed_as = run.module->key;
  o.data_dir = context_.data_dir;
  o.stop = context_.stop;
  o.before_schemas = context_.before_schemas;
  o.early = context_.early();
  o.test_providers = providers_of(out->file, out->run(run.name), out->problems);
  out->config = config::load(context_.files, context_.sources, o, &context_.schemas, out->problems);
  out->config->given = &out->given;
  out->usable = !out->problems.has_errors();
  return out;
}

Loaded& Configurations::take(const config::TestFile& file, const config::TestRunBlock& run) {
  std::vector<std::unique_ptr<Loaded>>& same = loaded_[key_of(file, run)];
  auto it = std::find_if(same.begin(), same.end(), [](const auto& l) { return !l->taken; });
  if (it == same.end()) {
    it = same.insert(same.end(), load(file, run));
    if (same.size() > 1 && (*it)->usable) (*it)->problems.clear();  // were told with the first one
  }
  (*it)->taken = true;
  return **it;
}

}  // namespace xplan::test
