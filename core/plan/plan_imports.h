// Import blocks in a plan: which objects they name, and the objects themselves.
//
// Who calls it: planner.cc, plan_resource.cc, plan_managed.cc; validate.cc, for what is wrong with any
// values. Contract: connect() before the graph is frozen; the rest is for the node of the resource that is
// imported. Cost: linear in the instances of import blocks; a provider call each. Thread-safety: Imports does
// not change after connect(); as PlanRun otherwise.
#pragma once
#include "core/plan/plan_run.h"

namespace xplan::planning {

class Imports {
 public:
  // Makes each resource that is imported depend on what its import blocks read.
  void connect(PlanRun& run);
  bool any() const { return !blocks_.empty(); }
  // Evaluates the blocks that lead to a resource.
  void resolve(PlanRun& run, uint32_t node, NodeResult& out) const;

 private:
  std::unordered_map<uint32_t, std::vector<const config::Import*>> blocks_;  // by resource node
};

// Whether this can be what an import block is given as id or identity; false after an error. What is not
// known yet is an error, too, unless `unknown_allowed`.
bool check_imported(const config::Import& block, const Value& given, bool unknown_allowed,
                    Diagnostics& diags);
// An error for each import of an instance that the configuration does not declare.
void refuse_undeclared_imports(PlanRun& run, uint32_t node);
// The object, when the provider was asked for it before this run; null: it was not.
const KnownImport* known_import(const PlanRun& run, const AbsInstance& a, const ImportTarget& t);
// The imported object; nothing after an error, or when the provider defers it.
std::optional<ObjectPtr> import_object(const PlanRun& run, const InstanceJob& j, const ImportTarget& t,
                                       InstanceResult& out);

}  // namespace xplan::planning
