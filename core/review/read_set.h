// What a plan has read of the state to make its changes: which attributes of which resources.
//
// Who calls it: review/rebase.cc.
// Meaning: what applying the plan evaluates leads from its changes, outputs and provider configurations
// through named values to resources; it goes on behind those that act themselves, and behind the number of
// instances of the others, and ends where an object stays as it is. Data do not stay: the next plan reads
// them again, so it goes on behind them, and behind what they wait for. Of each resource that is reached,
// every attribute counts that the configuration names anywhere; a reference to all of it, or with an index
// that is not written out, is one to all of it. Contract: what is not in the set makes no difference to what
// the plan does. Cost: linear in the configuration.  Thread-safety: immutable after construction.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

struct Reading {
  InstanceKey key;
  bool has_key = false;  // of one instance only
  Path path;             // empty: all of it
};

class ReadSet {
 public:
  ReadSet(const Plan& plan, const config::Config& config);
  // Null: the plan has not read it.
  const std::vector<Reading>* find(const ConfigResource& r) const;
  const std::vector<Reading>* find(const AbsInstance& a) const { return find(a.config()); }

 private:
  void collect(const config::Config& config);
  std::unordered_map<ConfigResource, std::vector<Reading>> readings_;  // of the whole configuration
  std::unordered_set<ConfigResource> reached_;
};

}  // namespace xplan::review
