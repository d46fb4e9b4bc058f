// Numbers as plans, states and providers hold them: negative zero is zero, and none is infinite. Expressions
// know both, so what leaves them for one of these passes here first.
//
// Who calls it: schema (configurations), plan (outputs), provider (answers).  Cost: one look at every
// element, a copy only where there is something to replace.  Thread-safety: pure.
#pragma once
#include <optional>

#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

// `infinite`: where an infinite number is, if there is one.
Value storable_numbers(const Value& v, std::optional<Path>& infinite);

}  // namespace xplan
