// Adds what planning one instance has found (changes, drift, new objects, checks, problems) to what its node
// has found. Called in the order of the instances, so that plans do not depend on which instance finished
// first.
#include "core/plan/node_result.h"

namespace xplan::planning {

void merge(InstanceResult&& from, NodeResult& to) {
  move_all(std::move(from.changes), to.changes);
  move_all(std::move(from.drift), to.drift);
  move_all(std::move(from.objects), to.objects);
  move_all(std::move(from.deferred), to.deferred);
  move_all(std::move(from.checks), to.check.objects);
  if (from.uncounted) to.check.expanded = false;
  to.incomplete |= from.incomplete;
  to.diags.append(std::move(from.diags));
}

void drop_if_gone(InstanceState& s, const std::string& deposed) {
  if (auto it = s.deposed.find(deposed); it != s.deposed.end() && !it->second) s.deposed.erase(it);
}

}  // namespace xplan::planning
