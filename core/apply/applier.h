// The walk of an apply: what visiting each node of its graph means, and what comes of it.
//
// The graph is the configuration's, plus the destroy nodes (destroy_order.h). A failed instance blocks its
// own counterpart (its creation after a failed destruction, or the reverse), what reads it (failures.h), and
// the destructions that come after its resource. Who calls it: apply_plan(); the source files of this folder;
// nobody else includes this. Thread-safety: the instances of a resource, and the objects of a destroy node,
// are parts of their node and run concurrently; each writes its own Piece. What they write to exists before
// the walk, so the maps of the state keep their structure while it runs. Cost: see apply.h.
#pragma once
#include <vector>

#include "core/apply/apply_run.h"
#include "core/apply/destroy_order.h"
#include "core/apply/failures.h"
#include "core/graph/walk.h"
#include "core/plan/selection.h"

namespace xplan::applying {

// One part of a node: an instance of a resource, or the change at this index of a destroy node.
struct Piece {
  uint32_t index;                // of a destroy node's change
  ModuleInst* module = nullptr;  // what follows: of a resource's instance
  const Repetition* instance = nullptr;
  Value* value = nullptr;  // in a Filling
  InstanceResult out = {};
};

struct NodeResult : NamedResult, Counts {
  std::vector<Piece> pieces;  // while it is visited; likewise:
  std::vector<Filling> fillings;
  std::vector<const ResourceChange*> not_begun;
  bool visited = false, done = false;
  bool halted = false;     // some of it was not begun because the run was to end
  bool kept_back = false;  // all of it: what it reads failed
  bool partly = false;     // not done, but whoever depends on it is visited
};

// included.cc
Selection selection_of(const Plan& plan);  // nothing is chosen yet
// Which of the planned nodes are evaluated; empty: all are. Makes the choice where there is one.
std::vector<bool> included_nodes(const config::Config& config, const Plan& plan, const State& state,
                                 Selection& selection);

class Applier : Visitor {
 public:
  Applier(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f, Diagnostics& d)
      : run_(c, p, o, f), diags_(d), failures_(run_.world, run_.cg), selection_(selection_of(p)) {}
  ApplyOutcome carry_out();
  bool find_order();  // makes the graph; false with an error when it has a cycle

 private:
  // applier.cc
  void prepare_state();
  size_t begin(uint32_t node) override;
  void part(uint32_t node, size_t i) override;
  bool end(uint32_t node) override;
  void skipped(uint32_t node) override;
  bool light(uint32_t node) override;
  bool blocks(uint32_t failed, uint32_t dependent) override;
  bool is_left_out(uint32_t node) const { return node < included_.size() && !included_[node]; }
  bool is_gate(uint32_t node) const;
  ConfigResource resource_at(uint32_t node) const;  // of a resource's node or a destroy node

  // resource.cc: a resource's node, its instances as parts; a destroy node, its objects as parts.
  void begin_resource(uint32_t node);
  void run_instance(uint32_t node, Piece& p);
  void keep_back(uint32_t node, Piece& p);
  bool end_resource(uint32_t node);  // false: not even what its instances are is known
  Value unchanged_value(uint32_t node, ModuleInst& m, const Repetition& r, Diagnostics& diags);
  void run_destroy(const Destroy& d, Piece& p);
  void end_destroy(const Destroy& d, NodeResult& out);

  // outcome.cc
  void report_unreached(const WalkOutcome& walked, ApplyOutcome& out);
  void list_unreached(ApplyOutcome& out);
  void report_early_end(const WalkOutcome& walked);
  void collect(ApplyOutcome& out);
  void collect_checks();
  void collect_outputs();
  void drop_data();
  void drop_empty();

  ApplyRun run_;
  Diagnostics& diags_;
  DestroyOrder order_;
  std::vector<NodeResult> results_;
  Failures failures_;
  Selection selection_;         // of the plan
  std::vector<bool> included_;  // per planned node: it is evaluated; empty: all are
  std::unordered_map<uint32_t, Dependencies> dependencies_;
  std::vector<uint32_t> skipped_nodes_;
};

}  // namespace xplan::applying
