// Which acting resources the changes of an acting resource wait for.
//
// Who calls it: review/effects.cc.
// Meaning: the nearest ones, through whatever does not act itself (named values, modules, providers, other
// resources), so that what nobody changes is no part of it. What is destroyed waits by what the state has
// recorded of it. Each list is told by its digest, so that a list which many share is made and hashed once.
// Cost: as ConfigGraph::resource_dependencies.  Thread-safety: one thread.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

class ActingOrder {
 public:
  ActingOrder(const Plan& plan, const config::Config& config);
  // Encoded: the digest of the addresses. Empty: it waits for nothing.
  const std::string& before_making(const ConfigResource& r) const;
  const std::string& recorded(const Dependencies& d);

 private:
  void find(const Plan& plan, const config::Config& config);
  std::unordered_set<ConfigResource> acting_;
  std::unordered_map<ConfigResource, std::string> declared_;
  std::unordered_map<const void*, std::string> recorded_;  // by identity: the plan keeps them alive
};

}  // namespace xplan::review
