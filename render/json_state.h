// `show -json` of a state (format version 1.0), and the parts that plans and states have in common.
//
// Who calls it: cmd (show -json), json_plan.
// Contract: one line, sensitive values in clear, modules nested; an empty state has no member but format_version. No newline
// behind it.
// Cost: linear; objects are decoded one at a time.  Thread-safety: pure functions.
#pragma once
#include <functional>
#include <vector>

#include "core/base/json_writer.h"
#include "core/schema/schema.h"
#include "core/state/state.h"

namespace xplan::render {

using SchemaLookup = std::function<const schema::Schema*(const ProviderAddr&, Mode, Symbol)>;

// False when an object cannot be decoded (no schema, or of a newer version): `diags` says which, and the document is
// not complete.
bool write_state_json(const State& state, const SchemaLookup& schemas, JsonWriter& w, Diagnostics& diags);

// An object of a state as a value of its schema's type, marks of its recorded sensitive paths included. Empty with a
// diagnostic when it cannot be decoded.
std::optional<Value> decode_object(const Object& object, const schema::Schema* schema, const std::string& address,
                                   Diagnostics& diags);

// The shape of sensitive places: true where a mark is, containers with marks inside as containers, {} or [] for those
// without; `marks_only` of a scalar: nothing is written and false returned.
void write_sensitive_shape(const Value& v, JsonWriter& w);
// Likewise the places that are unknown.
void write_unknown_shape(const Value& v, JsonWriter& w);
// A value with unknown object attributes left out and other unknown places null.
void write_known_part(const Value& v, JsonWriter& w);

void write_checks(const std::vector<CheckResult>& checks, JsonWriter& w);  // the array
void write_instance_key(const InstanceKey& k, JsonWriter& w);

}  // namespace xplan::render
