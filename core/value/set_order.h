// The iteration order of sets, and which elements count as the same.
//
// Who calls it: value.cc (building sets); backend/settings.cc, whose recorded hash is that of a set element.
// Rules: see set_order.cc.  Cost: n log n comparisons; for elements that are not primitive one text per
// element. Thread-safety: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/value/value.h"

namespace xplan {

// Sorts into iteration order and drops duplicates. Elements are of the element type and without marks.
void order_set(Type element, std::vector<Value>& elements);
// The text by which elements of sets are ordered that are not primitive.
void append_set_key(std::string& out, const Value& v);

}  // namespace xplan
