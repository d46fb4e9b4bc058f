// `show -json` of a plan: the document that policy tools, dashboards and pipelines read (format version 1.2).
//
// Who calls it: cmd (show -json, with the configuration that the plan was made from).
// Contract: one line, keys in the order that the reference tools print, sensitive values in clear. No newline
// behind it. Cost: linear, written piece by piece: with a sink the document is never in memory as a whole.
// Thread-safety: pure functions.
#pragma once
#include "core/base/json_writer.h"
#include "core/config/config.h"
#include "core/plan/plan.h"
#include "render/json_state.h"

namespace xplan::render {

// Parts of it.
void write_output_changes(const Plan& plan, JsonWriter& w);    // the member, if there are any; so below
void write_resource_changes(const Plan& plan, JsonWriter& w);  // and "resource_drift"
void write_relevant_attributes(const Plan& plan, JsonWriter& w);

// `schemas` decodes objects of the prior state that are still text. What was written can always be shown:
// objects that no schema fits (their type is gone, or they are what the plan failed for) are left out of the
// prior state, with a warning.
void write_plan_json(const Plan& plan, const config::Config& config, const schema::Lookup& schemas,
                     JsonWriter& w, Diagnostics& diags);

}  // namespace xplan::render
