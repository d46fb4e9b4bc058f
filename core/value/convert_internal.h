// What convert.cc, convert_types.cc and unify.cc share. Not for other folders.
//
// Who calls it: those three files.  Cost and thread-safety: as convert.h.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/value/convert.h"

namespace xplan {

// A constraint prepared for one conversion: the same tree, pruned where nothing is optional, so that asking
// "is there anything to do below?" is one test per value.
struct ConvertPlan {
  const TypeConstraint* constraint = nullptr;
  bool has_defaults = false;  // here or below
  std::vector<ConvertPlan> children;
  std::vector<bool> child_used;
};
ConvertPlan make_convert_plan(const TypeConstraint& c);
inline const ConvertPlan* plan_child(const ConvertPlan* p, size_t i) {
  return p && i < p->children.size() && p->child_used[i] ? &p->children[i] : nullptr;
}
inline bool plan_optional(const ConvertPlan* p, size_t i) {
  return p && i < p->constraint->optional.size() && p->constraint->optional[i];
}

bool convertible(Type from, Type to, const ConvertPlan* plan, bool unsafe);
// The target type with dynamic parts replaced by the matching parts of the source.
Type settle_type(Type from, Type to);
// Why convertible() is false, as a phrase.
std::string explain_mismatch(Type from, Type to, const ConvertPlan* plan);
// Nothing for no types at all, and when nothing unifies.
std::optional<Type> unify_types(std::span<const Type> types, bool unsafe);
std::vector<Type> distinct_types(std::span<const Type> types);

}  // namespace xplan
