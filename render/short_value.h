// Values inside of sentences: one line, shortened, with what is sensitive hidden.
//
// Who calls it: explanations. Contract: no part that is marked is shown; strings are quoted and escaped.
// Cost: linear in what is shown; of two long strings, in their common beginning. Thread-safety: pure
// functions.
#pragma once
#include <string>

#include "core/value/value.h"

namespace xplan::render {

std::string short_value(const Value& v);
// "before -> after"; of long strings the part where they begin to differ. Where one side is sensitive, both
// are hidden.
std::string short_change(const Value& before, const Value& after);

}  // namespace xplan::render
