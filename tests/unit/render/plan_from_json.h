// A plan made from recorded plan JSON, so that text can be compared without running a planner.
//
// Who calls it: the tests of this folder.
// The types of values are those that JSON suggests (tuples and objects), which is all that a diff looks at
// where the schema says "any"; marks and unknowns come from the masks of the JSON.
#pragma once
#include <memory>
#include <string>

#include "core/plan/plan.h"

namespace xplan {

// terraform_data and data terraform_remote_state.
const schema::SchemaPtr& recorded_schema(Mode mode);
// Fails the test on a text that is no plan.
std::unique_ptr<Plan> plan_from_json(const std::string& text);

}  // namespace xplan
