// Provider configurations with for_each: their instances, which are known before anything is planned, and
// references to them.
//
// Who calls it: providers.cc.  Contract: every reference to such a configuration selects one instance, and no
// other reference does; what is wrong is reported once for each block and each reference.  Cost: linear in
// the instances of all module paths.  Thread-safety: one thread.
#pragma once
#include <unordered_set>

#include "core/config/early.h"

namespace xplan::config {

class ProviderInstances {
 public:
  ProviderInstances(Config& config, Diagnostics& diags)
      : diags_(diags), scopes_(*config.early, "the for_each argument of a provider", kNeededEarly) {}
  // Fills in Node::provider_instances.
  void find(Node& n);
  // `configuration`: what the reference leads to in its module; null: what a caller passes.
  void check(const ProviderRef& ref, const ProviderConfig* configuration);

 private:
  std::vector<std::pair<InstanceKey, Value>> of(const Node& n, const ProviderConfig& p);
  bool first(Range r) { return reported_.insert(r.begin).second; }

  Diagnostics& diags_;
  EarlyScopes scopes_;
  std::unordered_set<uint32_t> reported_;  // places
};

}  // namespace xplan::config
