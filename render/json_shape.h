// Values of a plan in JSON beside their shadows: which places are sensitive, which are unknown.
//
// Who calls it: json_plan, json_state.
// Contract: a shadow has `true` where the place itself is sensitive (unknown), containers for containers, and
// `false` for everything else; `false` members of objects and maps are left out, elements of lists are not.
// Cost: linear in the value. Recursion is as deep as the type, which is limited.  Thread-safety: pure
// functions.
#pragma once
#include "core/base/json_writer.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan::render {

void write_sensitive_shape(const Value& v, JsonWriter& w);
void write_unknown_shape(const Value& v, JsonWriter& w);
// The value without what is unknown: such members of objects and maps are left out, such elements of lists
// are null. The value as a whole must be known.
void write_known_part(const Value& v, JsonWriter& w);
// ["a",0,"k"]: a path as a list of its steps.
void write_path(const Path& p, JsonWriter& w);

}  // namespace xplan::render
