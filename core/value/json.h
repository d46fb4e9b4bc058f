// JSON text ↔ values, in the three forms the field uses.
//
// Who calls it: state, plan JSON, jsonencode/jsondecode, remote state, providers (RawState).
// Numbers are carried as text, never as doubles. Cost: linear, no DOM for values.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan {

// Writes a value as plain JSON (unknown leaves: precondition none). For a position whose *declared* type is
// dynamic, state files wrap as {"value":…,"type":…}: give the declared type and it is done where needed.
void write_json(JsonWriter& w, const Value& v);                 // natural form: no wrapping
void write_json_as(JsonWriter& w, const Value& v, Type declared);  // wraps where `declared` has dynamic
std::string to_json(const Value& v);
// Natural reading: objects, tuples, strings, numbers, bools, null of dynamic type. Errors say line and column.
// Duplicate object keys: last wins.
Result<Value> parse_json(std::string_view text);
// Reading as a declared type (state, provider): undoes the wrapping for dynamic. Absent object attributes are null
// when `missing_as_null`; unknown members are errors unless `ignore_extra`.
Result<Value> parse_json_as(std::string_view text, Type declared, bool missing_as_null = true, bool ignore_extra = false);

}  // namespace xplan
