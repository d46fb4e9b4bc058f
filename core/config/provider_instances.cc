// Evaluates for_each of provider configurations, and checks that references select an instance where there
// are several.
#include "core/config/provider_instances.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/config/decode.h"
#include "core/config/for_each.h"

namespace xplan::config {

std::vector<std::pair<InstanceKey, Value>> ProviderInstances::of(const Node& n, const ProviderConfig& p) {
  Diagnostics found;
  const Value v = eval::evaluate(*p.for_each, *scopes_.of(n), found);
  std::vector<std::pair<InstanceKey, Value>> out;
  std::string problem = found.has_errors() ? "" : unsuitable_for_each(v);
  if (problem.empty() && !found.has_errors() && for_each_unknown(v) && !scopes_.of(n)->had_errors())
    problem =
        "The for_each value is known only after apply, but which instances a provider configuration has must "
        "be known before anything is planned.";
  if (problem.empty() && !found.has_errors() && !for_each_unknown(v)) {
    if (v.length() <= kMostProviders)
      out = for_each_elements(v);
    else
      problem = "There can be at most " + std::to_string(kMostProviders) + " provider configurations.";
  }
  if (!problem.empty()) found.error("Invalid for_each argument", std::move(problem), p.for_each->range);
  if (!found.empty() && first(p.for_each->range)) diags_.append(std::move(found));
  return out;
}

void ProviderInstances::find(Node& n) {
  const std::vector<ProviderConfig>& all = n.module->providers;
  if (std::none_of(all.begin(), all.end(), [](const ProviderConfig& p) { return p.for_each; })) return;
  n.provider_instances.resize(all.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].for_each) n.provider_instances[i] = of(n, all[i]);
}

void ProviderInstances::check(const ProviderRef& ref, const ProviderConfig* configuration) {
  const bool several = configuration && configuration->for_each;
  if (several == ref.has_key() || !first(ref.range)) return;
  const std::string name = std::string(ref.local_name.sv()) + "." + std::string(ref.alias.sv());
  if (several)
    diags_.error("Missing provider instance key",
                 "The provider configuration " + name +
                     " has \"for_each\", so a reference to it must select one of its instances: " + name +
                     "[each.key], for example.",
                 ref.range);
  else
    diags_.error("Unexpected provider instance key",
                 "The provider configuration " + name +
                     (configuration ? " has no \"for_each\"" : " is passed by the calling module") +
                     ", so it has only one instance. Remove the brackets.",
                 ref.range);
}

}  // namespace xplan::config
