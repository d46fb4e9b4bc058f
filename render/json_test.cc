// Writes the plan or state of a test run from the same parts as `show -json` and `providers schema -json`.
#include "render/json_test.h"

namespace xplan::render {
namespace {

void write_schemas_part(const ProviderSchemaList& providers, JsonWriter& w) {
  w.member("provider_format_version", "1.0");
  write_provider_schemas(providers, w);
}

}  // namespace

void write_test_plan_json(const Plan& plan, const ProviderSchemaList& providers, JsonWriter& w) {
  w.begin_object();
  w.member("plan_format_version", "1.2");
  write_output_changes(plan, w);
  write_resource_changes(plan, w);
  write_relevant_attributes(plan, w);
  write_schemas_part(providers, w);
  w.end_object();
}

void write_test_state_json(const State& state, const schema::Lookup& schemas,
                           const ProviderSchemaList& providers, JsonWriter& w, Diagnostics& diags) {
  w.begin_object();
  w.member("state_format_version", "1.0");
  write_root_module(state, schemas, Unreadable::LeftOut, w, diags);
  write_state_outputs(state, w);
  write_schemas_part(providers, w);
  w.end_object();
}

}  // namespace xplan::render
