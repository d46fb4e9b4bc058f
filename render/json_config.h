// The member "configuration" of a plan's JSON: what the files declare, with every expression as a constant or
// as the list of what it refers to.
//
// Who calls it: json_plan; cmd (show -config, -module).
// Contract: the form differs by syntax as it does with the reference tools: an expression of a JSON file has
// its raw value as constant_value and its references beside it, a native one has either. Cost: linear in the
// configuration, once per module path.  Thread-safety: pure functions.
#pragma once
#include <unordered_set>

#include "core/base/json_writer.h"
#include "core/config/config.h"

namespace xplan::render {

// Resources of the root module in `left_out` are passed over.
using ResourceSet = std::unordered_set<xplan::Resource>;
void write_config_json(const config::Config& config, JsonWriter& w, const ResourceSet& left_out = {});
// Of the root module alone, loaded without schemas and without what it calls: no expressions, nor what others
// say.
void write_module_json(const config::Config& config, JsonWriter& w);

}  // namespace xplan::render
