// walk_plan: visits every field of a declared schema together with its values in configuration, prior state
// and plan, outer before nested, and rebuilds the plan from what the visits leave.
//
// Who calls it: plan_change (each step of plan modification is one walk), kit::Provider (equivalence of what
// was read; validation). Pairing of elements: lists by index, without any re-alignment; maps by key; sets by
// the element that is equal, else by one that is equal in everything not computed. Paths lead through sets by
// the element itself. Cost: linear in the values (sets: as long as few elements differ only in computed
// attributes); containers in which nothing changed are not rebuilt. Thread-safety: pure but for `visit`.
#pragma once
#include <functional>
#include <vector>

#include "core/provider/kit/schema.h"

namespace xplan::kit {

struct Place {
  const Path& path;
  const Value &config, &prior;  // null of dynamic type where there is nothing at this place
  Value plan;                   // a visit may change it
  const Value& parent;          // the object that has the field, as the plan had it
};
enum class Next : uint8_t { Into, Skip };
using Visit = std::function<Next(const Field&, Place&)>;

// `plan` is an object with the fields' attributes; anything else is returned as it is.
Value walk_plan(const std::vector<Field>& fields, const Value& config, const Value& prior, const Value& plan,
                const Visit& visit);

// The attribute of an object, or a null where the value is not an object.
const Value& attribute_of(const Value& object, Symbol name);

}  // namespace xplan::kit
