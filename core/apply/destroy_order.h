// DestroyOrder: the objects that an apply destroys or forgets, as nodes of its graph.
//
// Who calls it: the applier, before the walk.
// Rule: a node for each resource that loses objects, or two when some go before it is created and some after.
//  - The destroy node of a resource follows the destroy nodes of everything that depends on it, as the state
//    remembers who does.
//  - Destroy before create: the resource itself and its dependents are created after the destroy node.
//  - Create before destroy: the destroy node follows the resource and everything that depends on it.
//  - What a resource depends on, as the state remembers, changes after the resource's destroy node: what is
//    destroyed is destroyed as long as everything is as it was.
//  - What depends on a resource, as the configuration says, changes or is read after instances are gone that
//    the resource does not have any more; with create before destroy, before anything of the resource goes.
//  - What was recorded as created before it is destroyed, and is only destroyed now, goes after the resource.
// The last three are wishes: where they would make a cycle, through the configuration of a provider for
// example, they are not granted; the last first.
// What a check block reads for itself is read after all changes: all of them come before one gate, and that
// before all such reads.
// Cost: linear in changes, remembered dependencies and the graph of the configuration; what a cycle refuses,
// in what is behind it. No edges between instances. Thread-safety: connect() from one thread, then only read.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/check.h"
#include "core/plan/config_graph.h"
#include "core/plan/plan.h"

namespace xplan::applying {

// The objects of one resource that are destroyed before it is created, or after. Without any, it is a gate: a
// node that has nothing to do but to come after some nodes and before others.
struct Destroy {
  ConfigResource resource;
  bool create_first = false, replaces = false;
  std::vector<const ResourceChange*> changes;
  uint32_t node = 0;
  bool lenient = false;  // a gate that opens also when what is before it failed in part
  bool is_gate() const { return changes.empty(); }
};

// Nodes that are in cycles of a graph with more wishes, by component: none of their wishes is granted.
using Cycles = std::vector<std::vector<uint32_t>>;
struct Refused {
  Cycles only_destroyed, dependents, after_destroyed;
};

class DestroyOrder {
 public:
  // Adds the nodes (Extra, their index that of the destroy) and edges to a graph that is not frozen yet.
  void connect(ConfigGraph& cg, const config::Config& config, const Plan& plan, const State& state,
               const Refused& refused);
  bool has_wishes() const { return wishes_; }
  const Destroy& at(uint32_t index) const {
    XPLAN_CHECK(index < destroys_.size());
    return destroys_[index];
  }
  // An error for each cycle of the frozen graph; true when there is none.
  bool check(const ConfigGraph& cg, Diagnostics& diags) const;

 private:
  Destroy& of(const ConfigResource& r, bool create_first);
  void collect(const Plan& plan);
  void follow_dependents(ConfigGraph& cg, const AbsResource& dependent, const ResourceState& r,
                         uint32_t dependent_node) const;
  std::vector<Destroy> destroys_;
  void follow_destroyed(ConfigGraph& cg, const config::Config& config, const Plan& plan, const State& state,
                        const Cycles& refused);
  void order_dependents(ConfigGraph& cg, const config::Config& config, const Plan& plan,
                        const Cycles& refused);
  void order_checks(ConfigGraph& cg, const config::Config& config, const Plan& plan);
  class Together;                                                      // whether two nodes are in one cycle
  using Behind = std::unordered_map<uint32_t, std::vector<uint32_t>>;  // of gates: what they come after
  uint32_t add_gate(ConfigGraph& cg, bool lenient);
  uint32_t after_all(ConfigGraph& cg, std::vector<uint32_t>& nodes, Behind& behind);
  void wish(ConfigGraph& cg, uint32_t from, uint32_t to, const Behind& behind, const Together& same);
  void after_lost(ConfigGraph& cg, const Graph& configured, const std::vector<uint32_t>& order,
                  const std::vector<bool>& changed, const std::vector<uint32_t>& lost, const Together& same);
  void before_last(ConfigGraph& cg, const Graph& configured, const std::vector<uint32_t>& order,
                   const std::vector<bool>& made, const std::vector<std::pair<uint32_t, uint32_t>>& last,
                   const Together& same);
  std::unordered_map<ConfigResource, std::vector<uint32_t>> by_resource_;
  bool wishes_ = false;
};

}  // namespace xplan::applying
