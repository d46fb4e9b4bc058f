// RelevantFinder: which attributes of which resource instances feed the proposed changes.
//
// Who calls it: the planner, once, at the end.
// Meaning: references of every changed resource's configuration and of every changed output are followed back
// to the attributes of resources that they come from, see SourceTracer; an attribute counts together with
// what its own expression reads. Cost: linear in the references followed; each named value of each module
// instance, and each part of a resource that is read, is followed once. Thread-safety: one thread.
#pragma once
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/sources.h"

namespace xplan {

class RelevantFinder {
 public:
  explicit RelevantFinder(const config::Config& c) : config_(c) {}
  void add_resource(const AbsInstance& a);
  void add_output(const config::Node* n, ModuleInstance addr, uint32_t index);
  std::vector<RelevantAttribute> take();  // sorted, unique

 private:
  void trace_part(const ValueSource& s);
  struct PathLess {
    bool operator()(const Path& a, const Path& b) const { return path_less(a, b); }
  };
  const config::Config& config_;
  SourceTracer tracer_;
  std::unordered_map<AbsResource, std::set<Path, PathLess>> parts_;  // that were read
  std::unordered_set<AbsResource> resources_;                        // that were added
};

}  // namespace xplan
