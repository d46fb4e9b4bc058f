// Objects of the state that the configuration no longer declares, seen from what reads them: their deletions
// are planned after everything else, but data sources that depend on them wait for these, too.
//
// Who calls it: planning, for resources' nodes, and for data sources with a module in their depends_on.
// Contract: answers hold once the nodes that expand what is around the resource were visited. Nothing is
// leaving in plans that only refresh or destroy, and where the configuration has nothing that would wait.
// Cost: look() is one look-up for each resource in the state, and for each module above one that is
// undeclared; the others look at each instance of what they are asked about. Thread-safety: reads only after
// look(), as PlanRun.
#pragma once
#include <unordered_map>
#include <vector>

#include "core/config/config.h"
#include "core/state/state.h"

namespace xplan::planning {

struct PlanRun;

class Leaving {
 public:
  void look(const PlanRun& run);
  // Some instance of a managed resource that is declared.
  bool of(const PlanRun& run, uint32_t node) const;
  // Some managed resource that a module, or one that it calls, no longer declares. Nobody waits for modules
  // that are no longer called.
  bool below(const PlanRun& run, const config::Node& module) const;

 private:
  using Held = std::vector<const std::pair<const AbsResource, ResourceState>*>;
  std::unordered_map<uint32_t, Held> declared_;               // by the node of the resource
  std::unordered_map<const config::Node*, Held> undeclared_;  // by each module that has it or is above it
};

}  // namespace xplan::planning
