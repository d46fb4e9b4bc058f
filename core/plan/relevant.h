// RelevantFinder: which attributes of which resource instances feed the proposed changes.
//
// Who calls it: the planner, once, at the end.
// Meaning: references of every changed resource's configuration and of every changed output are followed back
// to the attributes of resources that they come from, see SourceTracer. Cost: linear in the references
// followed; each named value of each module instance is followed once. Thread-safety: one thread.
#pragma once
#include <unordered_set>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/sources.h"

namespace xplan {

class RelevantFinder {
 public:
  explicit RelevantFinder(const config::Config& c) : config_(c) {}
  void add_resource(const AbsInstance& a);
  void add_root_output(Symbol name);
  void add_outputs(const config::Node* n,
                   ModuleInstance addr);  // of a module that is called: they have no prior value
  std::vector<RelevantAttribute> take();  // sorted, unique

 private:
  const config::Config& config_;
  SourceTracer tracer_;
  std::unordered_set<AbsResource> resources_;  // that were added
};

}  // namespace xplan
