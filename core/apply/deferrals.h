// Deferrals: what a plan deferred, seen from the graph of its apply.
//
// Who calls it: the applier, before and during the walk.
// Rule: what the plan deferred is not touched, and readers see of it what the plan foresaw: what was unknown
// to the plan is unknown here too, even if it could be found out by now. Cost: one look per edge of the
// graph, nothing for plans without deferred changes. Thread-safety: find() before the walk; then each
// provider's node writes its own flag, everything else is only read.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/plan/config_graph.h"
#include "core/plan/plan.h"

namespace xplan::applying {

class Deferrals {
 public:
  // Module calls, each with an unknown key, whose instances the plan deferred.
  static std::unordered_set<ModuleInstance> calls(const Plan& plan);
  void find(const ConfigGraph& cg, const Plan& plan);

  // Something that this node reads is deferred.
  bool reads_deferred(uint32_t node) const { return reads_deferred_[node]; }
  // Not configured: its configuration is not known yet.
  bool is_unconfigured(uint32_t provider) const { return unconfigured_[provider] != 0; }
  void set_unconfigured(uint32_t provider, bool yes) { unconfigured_[provider] = yes; }

 private:
  std::vector<bool> reads_deferred_;   // per node
  std::vector<uint8_t> unconfigured_;  // per provider configuration: written by threads, each its own byte
};

}  // namespace xplan::applying
