// Goes through the runs of a test file in order, and gives each provider configuration its provider.
#include "core/config/test_providers.h"

#include <algorithm>

#include "core/config/decode.h"
#include "core/config/providers.h"

namespace xplan::config {
namespace {

bool declares_provider(const Module& m, Symbol local_name) {
  return required_provider(m, local_name) ||
         std::any_of(m.providers.begin(), m.providers.end(),
                     [&](const ProviderConfig& c) { return c.local_name == local_name; });
}

bool declares_alias(const Module& m, Symbol local_name, Symbol alias) {
  const RequiredProvider* r = required_provider(m, local_name);
  return (r && std::find(r->configuration_aliases.begin(), r->configuration_aliases.end(), alias) !=
                   r->configuration_aliases.end()) ||
         std::any_of(m.providers.begin(), m.providers.end(),
                     [&](const ProviderConfig& c) { return c.local_name == local_name && c.alias == alias; });
}

ProviderConfig* find(Module& file, const ProviderRef& ref) {
  auto it = std::find_if(file.providers.begin(), file.providers.end(), [&](const ProviderConfig& c) {
    return c.local_name == ref.local_name && c.alias == ref.alias;
  });
  return it == file.providers.end() ? nullptr : &*it;
}

void said_by_other_module(Module& file, const TestRun& run) {
  auto say = [&](ProviderConfig& c, Symbol local_name) {
    if (c.provider.empty()) c.provider = provider_of(*run.module, local_name);
  };
  if (run.given)
    for (const ModuleCall::Passed& p : *run.given)
      if (ProviderConfig* c = find(file, p.parent)) say(*c, p.child.local_name);
  for (ProviderConfig& c : file.providers)
    if (declares_provider(*run.module, c.local_name)) say(c, c.local_name);
}

void said_by_module_under_test(Module& file, const TestRun& run, Diagnostics& diags) {
  auto say = [&](ProviderConfig& c, Symbol local_name, Range where) {
    const ProviderAddr expected = provider_of(*run.module, local_name);
    if (!c.provider.empty() && c.provider != expected)
      diags.error("Provider mismatch",
                  "An earlier run uses " + in_quotes(c.local_name.sv()) +
                      " of this file as a configuration of " + c.provider.display() +
                      ", but the module under test expects one of " + expected.display() +
                      ". Use different local names in this file, and select one of them in each run with the "
                      "argument \"providers\".",
                  where);
    c.provider = expected;
  };
  if (run.given) {
    for (const ModuleCall::Passed& p : *run.given)
      if (ProviderConfig* c = find(file, p.parent)) say(*c, p.child.local_name, p.parent.range);
    return;
  }
  for (ProviderConfig& c : file.providers) {
    if (c.alias.empty() ? declares_provider(*run.module, c.local_name)
                        : declares_alias(*run.module, c.local_name, c.alias))
      say(c, c.local_name, c.range);
  }
}

}  // namespace

void settle_test_providers(Module& file, const Module& under_test, const std::vector<TestRun>& runs,
                           Diagnostics& diags) {
  for (const TestRun& run : runs) {
    if (run.module == &under_test)
      said_by_module_under_test(file, run, diags);
    else
      said_by_other_module(file, run);
  }
}

}  // namespace xplan::config
