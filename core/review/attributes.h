// Which attributes of an object a change sets to another value, and what of them can be said in one line.
//
// Who calls it: review/summary.h, and whoever shows one change in one line.
// Contract: paths lead to the smallest part that differs, as long as objects and maps are compared; lists,
// sets and tuples are one part, and so is what is sensitive, but for attributes that the schema declares.
// Cost: linear in the parts of the object, the equal ones at the top compared once. Thread-safety: pure
// functions.
#pragma once
#include <vector>

#include "core/plan/plan.h"

namespace xplan::review {

struct ChangedAttribute {
  Path path;
  Value before, after;  // null where there is none; marks of what is around them included
  bool forces_replacement = false;
  // The provider decides it when the change is made: what it was says nothing of why.
  bool is_result() const { return after.is_unknown(); }
};

// In the order of the object's attributes. Empty for what is created, destroyed, read or forgotten.
std::vector<ChangedAttribute> changed_attributes(const ResourceChange& c);

// Where two planned objects differ; what is unknown in both of them does not.
std::vector<ChangedAttribute> different_attributes(const Value& older, const Value& newer);

// Whether two values differ, whatever their marks are: something unknown is another value than what was
// there.
bool differ(const Value& before, const Value& after);

}  // namespace xplan::review
