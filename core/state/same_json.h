// Whether a JSON text says of a value just what would be written of it.
//
// Who calls it: plan, to see whether an object of a state file is kept as it was read or must be written
// again: its provider's schema may have lost attributes since, or the text may have been edited. Contract:
// members in another order, numbers in another notation and the like count as different; whitespace and
// escapes of strings do not. Cost: one pass over both, no allocation for plain strings. Thread-safety: pure.
#pragma once
#include <string_view>

#include "core/value/value.h"

namespace xplan {

bool same_json(std::string_view json, const Value& v, Type declared);  // v: wholly known; marks are ignored

}  // namespace xplan
