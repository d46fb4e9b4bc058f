// The providers of one run: each configuration's, started by its node of the graph; or why it waits.
//
// Who calls it: the source files of this folder that plan.
// Invariant: an entry is written by its own node, and read by nodes that depend on that, and after the walk.
// Cost: a look-up by address is hashed.  Thread-safety: as World (the walk orders writer and readers).
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/base/check.h"
#include "core/plan/config_graph.h"
#include "core/plan/plan.h"
#include "core/provider/provider.h"

namespace xplan::planning {

class StartedProviders {
 public:
  explicit StartedProviders(const ConfigGraph& cg) : cg_(cg) {}
  void make_room() { entries_.resize(cg_.providers.size()); }  // once the graph is built

  struct Entry {
    std::shared_ptr<Provider> provider;        // null: not started, or after an error
    std::optional<DeferredReason> waits = {};  // why it is not configured: it cannot be asked yet
  };
  void set(uint32_t index, Entry e) {
    XPLAN_CHECK(index < entries_.size());
    entries_[index] = std::move(e);
  }
  Provider* find(const ProviderConfigAddr& a) const {
    const Entry* e = entry(a);
    return e ? e->provider.get() : nullptr;
  }
  // Of the instances of a configuration that one which is started, to ask about types.
  Provider* find_any(const ProviderConfigAddr& block) const {
    for (uint32_t i : cg_.provider_instances(block))
      if (entries_[i].provider) return entries_[i].provider.get();
    return nullptr;
  }
  std::optional<DeferredReason> waiting(const ProviderConfigAddr& a) const {
    const Entry* e = entry(a);
    return e ? e->waits : std::nullopt;
  }

 private:
  const Entry* entry(const ProviderConfigAddr& a) const {
    auto it = cg_.provider_by_addr.find(a);
    return it == cg_.provider_by_addr.end() ? nullptr : &entries_[it->second];
  }
  const ConfigGraph& cg_;
  std::vector<Entry> entries_;  // parallel to the graph's
};

}  // namespace xplan::planning
