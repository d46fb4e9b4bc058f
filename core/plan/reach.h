// Reach: in which instances of its module something is reached by way of references.
//
// Who calls it: selection.cc (what targets need), plan_destroy.cc (what depends on what).
// Invariant: a module instance stands for all that is inside of it too; the root stands for everywhere.
// Cost: a question looks up each module around the instance.  Thread-safety: as a standard container.
#pragma once
#include <unordered_set>

#include "core/addr/addr.h"

namespace xplan {

class Reach {
 public:
  bool insert(ModuleInstance m) { return modules_.insert(m).second; }  // false: it was there
  bool contains(ModuleInstance m) const;                               // itself, or one around it
  bool everywhere() const { return modules_.contains(ModuleInstance()); }
  bool empty() const { return modules_.empty(); }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

 private:
  std::unordered_set<ModuleInstance> modules_;
};

// Both ends of a reference are in the same instance of the modules that they have in common: the part of `m`,
// where the one end is in `from` or reached in something around it, that says where in `to` the other end is.
ModuleInstance shared_instance(ModuleInstance m, Module from, Module to);

}  // namespace xplan
