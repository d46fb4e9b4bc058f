// What a run of a test has made, as `test -json -verbose` prints it: its plan, or the state after it, with
// the schemas that they follow.
//
// Who calls it: cmd.  Form: the members that the reference tools print, of the formats of `show -json` and
// `providers schema -json`, sensitive values in clear. Cost: linear.  Thread-safety: pure functions.
#pragma once
#include "render/json_plan.h"
#include "render/json_schemas.h"

namespace xplan::render {

void write_test_plan_json(const Plan& plan, const ProviderSchemaList& providers, JsonWriter& w);
// Objects that cannot be decoded are left out, with a warning.
void write_test_state_json(const State& state, const schema::Lookup& schemas,
                           const ProviderSchemaList& providers, JsonWriter& w, Diagnostics& diags);

}  // namespace xplan::render
