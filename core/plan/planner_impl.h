// The planner: the walk over the graph, with one visit per node.
//
// Who calls it: planner.cc (make_plan), plan_destroy.cc. The visits of resources are in plan_resource.cc.
// Contract, cost, thread-safety: see planner.h and plan_run.h.
#pragma once
#include "core/plan/plan_imports.h"
#include "core/plan/plan_run.h"

namespace xplan::planning {

class Planner : Visitor {
 public:
  Planner(const config::Config& c, const State& prev, const PlanOptions& o, ProviderFactory& f,
          Diagnostics& d, Purpose purpose = Purpose::Plan)
      : run_(c, prev, o, f, d, purpose) {}
  Plan plan();

 private:
  size_t begin(uint32_t node) override;
  void part(uint32_t node, size_t i) override;
  bool end(uint32_t node) override;
  void build_graph();
  void inherit(uint32_t node);
  Conditions conditions_of(NodeKind kind) const;
  void mark_lifecycles();
  bool refuse_undone_moves();  // whether what was moved away is declared all the same

  PlanRun run_;
  Imports imports_;
};

// plan_resource.cc: a resource's node, its instances as parts.
void begin_resource(PlanRun& run, const Imports& imports, uint32_t node);
void plan_piece(PlanRun& run, uint32_t node, Piece& p);
void end_resource(PlanRun& run, uint32_t node);

// plan_orphans.cc: objects of the state that the configuration does not declare, when the walk is over.
using Wanted = std::function<bool(const AbsInstance&)>;
using ReasonOf = std::function<Reason(const AbsInstance&)>;
// Plans the deletion of every wanted object of the state, several concurrently.
void plan_deletes(PlanRun& run, const Wanted& wanted, const ReasonOf& reason);
void plan_orphans(PlanRun& run);

// plan_destroy.cc: destroy mode, and values as the state has them.
using ReadValues = std::unordered_map<const InstanceState*, const Value*>;
void begin_from_state(PlanRun& run, uint32_t node, ModuleInst& m);
void fill_from_state(PlanRun& run, uint32_t node, ModuleInst& m, const ReadValues& read);
// Only what the configurations of providers need takes part in the walk.
void select_for_destroy(PlanRun& run);
void plan_destroy_all(PlanRun& run);
Plan plan_destroy_refreshed(const config::Config& config, const State& prev, const PlanOptions& options,
                            ProviderFactory& providers, Diagnostics& diags);

// plan_finish.cc
void report(PlanRun& run, const WalkOutcome& walked);
Plan finish(PlanRun& run);

}  // namespace xplan::planning
