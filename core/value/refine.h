// What is known of values that are not known: ranges, tests against them, and adding to them.
//
// Who calls it: value (equality), eval (arithmetic, comparison, templates, conditionals), functions, codecs.
// Rules (facts of the language): a refinement describes the value only for the case that it is not null,
// unless `not_null` says that it cannot be null. Unknowns of dynamic type are never refined. Cost: linear in
// the prefix.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/value/value.h"

namespace xplan {

enum class Tri : uint8_t { No, Yes, Unknown };

// Is `given` the type `wanted`, dynamic in `wanted` standing for anything?
bool type_conforms_to(Type given, Type wanted);
// The range of any value: of an unknown its refinement; of a known one the exact bounds (number), the whole
// text (string), the length (collection; a set with unknowns: from 1 to as many as it has). Null: a trivial
// one.
Refinement range_of(const Value& v);
// Could an unknown of this type and refinement turn out to be `known`? Yes only for nulls that are possible.
Tri range_includes(Type type, const Refinement& range, const Value& known);
// An unknown narrowed by a further refinement (may become known, see Value::unknown); known values and
// unknowns of dynamic type are returned as they are. Marks stay.
Value refine(const Value& v, const Refinement& more);
Value refine_not_null(const Value& v);
Value unknown_not_null(Type t);  // Value::unknown(t) refined as not null
// What is certain of a string that begins with `prefix` when anything may follow: normalized, and without an
// end that could still combine with what follows.
std::string safe_prefix(std::string_view prefix);

}  // namespace xplan
