// The provider contract, checked for every provider alike: what a plan and a result may look like.
//
// Who calls it: planner and apply, after every provider call.
// Rules and their source: the specification's "Provider/core consistency rules". Each function returns the
// violations as path and sentence fragment; the caller names provider and resource. Values are unmarked. A
// provider that declares the legacy type system is forgiven (the caller decides). Cost: linear in the values.
// Thread-safety: pure functions.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/schema/schema.h"
#include "core/value/path.h"

namespace xplan {

using Violations = std::vector<std::pair<Path, std::string>>;

// The value must be of the schema's type (nested dynamic parts may be anything), and write-only attributes
// null.
Violations check_conforms(const schema::Block& schema, const Value& v);
Violations check_write_only(const schema::Block& schema, const Value& v);
// A planned new object: configured attributes keep the configured value or the prior one; what is not
// computed and not configured is null; write-only is null; blocks correspond to the configuration's.
Violations check_planned(const schema::Block& schema, const Value& prior, const Value& config,
                         const Value& planned);
// A second plan (at apply) or a result must be compatible with the first: known stays, unknown may become
// anything of its type that obeys its refinements.
Violations check_compatible(const schema::Block& schema, const Value& planned, const Value& actual);
std::vector<Path> unknown_paths(const Value& v);
// Keeps the paths that really differ between prior and planned (or are unknown in planned); paths that exist
// on neither side are reported in `nonexistent`.
std::vector<Path> filter_requires_replace(const std::vector<Path>& paths, const Value& prior,
                                          const Value& planned, std::vector<Path>* nonexistent);

}  // namespace xplan
