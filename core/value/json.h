// JSON text ↔ values, in the three forms that the reference tools use.
//
// Who calls it: state, plan JSON, jsonencode/jsondecode, remote state, providers (RawState).
// Numbers are carried as text, never as doubles. Cost: linear; reading makes a JsonDocument first, writing
// goes straight to the writer. Marks are not written.  Thread-safety: pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

// Writing. JSON has no unknown values and no infinity: they are written as null (see storable.h). For a
// position whose *declared* type is dynamic, state files wrap as {"value":…,"type":…}: give the declared type
// and it is done where needed.
void write_json(JsonWriter& w, const Value& v);                    // natural form: no wrapping
void write_json_as(JsonWriter& w, const Value& v, Type declared);  // wraps where `declared` has dynamic
std::string to_json(const Value& v);
std::string to_json_as(const Value& v, Type declared);
std::string json_number(const Number& n);  // shortest plain decimal, no exponent

// Natural reading: objects, tuples, strings, numbers, bools, null of dynamic type. Errors say line and
// column. Duplicate object keys: last wins.
Result<Value> parse_json(std::string_view text);
Result<Value> json_value(const JsonNode& node);
// The type json_value() gives, without making the value.
Type json_implied_type(const JsonNode& node);

// Reading as a declared type (state, provider): undoes the wrapping for dynamic, reads numbers and bools from
// strings and strings from numbers and bools. Absent object attributes are null when `missing_as_null`;
// attributes the type does not have are errors unless `ignore_extra`. A number is finite. Errors say the
// path.
Result<Value> parse_json_as(std::string_view text, Type declared, bool missing_as_null = true,
                            bool ignore_extra = false);
Result<Value> json_value_as(const JsonNode& node, Type declared, bool missing_as_null = true,
                            bool ignore_extra = false);

// A type in its JSON form, from a node; see parse_type_json.
Result<Type> json_type(const JsonNode& node);

}  // namespace xplan
