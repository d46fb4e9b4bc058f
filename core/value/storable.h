// Values as plans, states and providers hold them: in numbers negative zero is zero, and none is infinite;
// what a state holds is known. Expressions know all of these, so what leaves them for one of these passes
// here first.
//
// Who calls it: schema (configurations), plan and apply (outputs, objects), provider (answers).  Cost: one
// look at every element, a copy only where there is something to replace.  Thread-safety: pure.
#pragma once
#include <optional>

#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

// `infinite`: where an infinite number is, if there is one; the result has null there.
Value storable_numbers(const Value& v, std::optional<Path>& infinite);
Value unknown_as_null(const Value& v);

}  // namespace xplan
