// Which part of a configuration -target and -exclude leave.
//
// Who calls it: planning, and applying, which leaves out the same.  Invariant: what a selected node depends
// on is selected, and nothing that is selected depends on what is excluded. A target of an instance is that
// instance; of what it needs, the instances that are named by their keys, or all where none is named. What is
// read inside of a module is read in the same instance of it.
// Cost: linear in nodes, edges and options given; a question about an instance is a look-up.
// Thread-safety: reads only after choose().
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "core/addr/target_index.h"
#include "core/plan/config_graph.h"
#include "core/plan/reach.h"
#include "core/state/state.h"

namespace xplan {

class Selection {
 public:
  Selection(std::span<const Target> targets, std::span<const Target> excludes);
  // With targets: what they cover and all it depends on, outputs of the root module that read nothing else,
  // and the providers of objects in the state that are covered.
  void choose(const ConfigGraph& cg, const State& state);

  const bool targeting;  // there are targets
  const TargetIndex targets, excludes;
  std::vector<bool> nodes;  // per node of the graph: true when it takes part
  // Whether an instance of a resource that takes part is planned.
  bool takes(uint32_t node, const AbsInstance& a) const;
  // Likewise of an object that the configuration does not declare; its node is UINT32_MAX when the resource
  // is not declared either.
  bool takes_undeclared(uint32_t node, const AbsInstance& a) const;
  // Whether its deposed objects go along with it: nobody needs them, so only a target of their own covers
  // them.
  bool takes_deposed(const AbsInstance& a) const;

 private:
  void choose_targeted(const ConfigGraph& cg, const State& state);
  void find_needed(const ConfigGraph& cg);
  void find_reach(const ConfigGraph& cg);
  bool needs(uint32_t node, const InstanceKey& key) const;
  std::vector<bool> direct_, whole_;  // per node: covered by a target / needed with all instances
  std::unordered_map<uint32_t, std::vector<InstanceKey>> keys_;  // per node: needed instances, sorted
  std::vector<Reach> reach_;                                     // per node: where it is needed
};

}  // namespace xplan
