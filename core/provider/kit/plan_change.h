// plan_change: the process of plan modification.
//
// Who calls it: kit::Provider for every plan of a managed resource.
// The steps, in this order:
//  1. A null in the configuration takes the field's default; a value that is equivalent to the prior one
//     becomes the prior one (so that it is not a difference in what follows). Write-only values become null.
//  2. When the plan then differs from the prior state, every computed field that is null in the configuration
//     becomes unknown (not those with a default: they have their value).
//  3. Modifiers of fields, in the order of declaration, outer before nested. An error stops the field's other
//     modifiers and everything below the field; other fields go on.
//  4. modify_plan of the resource, which sees and may change the whole plan, require replacement, warn, fail
//     and defer.
// On destruction (null plan) steps 1 and 2 do nothing, modifiers of top-level fields and modify_plan run to
// report problems, and the plan stays null whatever they return. On creation requires_replace is dropped.
// A replacement inside a set is reported for the set: a path cannot name an element of a set on the wire.
// Cost: linear in the values. Thread-safety: pure but for what is called.
#pragma once
#include <functional>

#include "core/provider/kit/schema.h"

namespace xplan::kit {

struct ModifyPlanRequest {
  const Value &config, &prior, &plan;  // prior null: creation; plan null: destruction
  const Value& provider_meta;
  bool deferral_allowed = false;
  bool creating() const { return prior.is_null(); }
  bool destroying() const { return plan.is_null(); }
};
struct ModifyPlanResponse {
  Value plan;  // starts as the request's
  std::vector<Path> requires_replace;
  PrivateData private_data;  // starts as the prior's
  ProviderDiags diags;
  Deferral deferred = Deferral::None;
};
using ModifyPlan = std::function<void(const ModifyPlanRequest&, ModifyPlanResponse&)>;

// `type` is the object type of the schema.
PlanResponse plan_change(const Schema& s, Type type, const PlanRequest& r, const ModifyPlan& modify_plan,
                         bool deferral_allowed);

// The value with whatever is equivalent to `prior` replaced by it: of what was read or applied.
Value keep_equivalent(const Schema& s, const Value& prior, const Value& value);
Value without_write_only(const Schema& s, const Value& value);

}  // namespace xplan::kit
