// `providers schema -json`: the schemas of every provider that the configuration and the state need.
//
// Who calls it: cmd.  Form: one line, format version 1.0, sorted by provider and name. No newline after it.
// Cost: linear in the schemas.  Thread-safety: pure functions.
#pragma once
#include <utility>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/json_writer.h"
#include "core/schema/schema.h"

namespace xplan::render {

using ProviderSchemaList = std::vector<std::pair<ProviderAddr, schema::ProviderSchemaPtr>>;
void write_schemas_json(const ProviderSchemaList& providers, JsonWriter& w);
// The member "provider_schemas" of it, if there are any.
void write_provider_schemas(const ProviderSchemaList& providers, JsonWriter& w);

}  // namespace xplan::render
