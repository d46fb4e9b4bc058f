// Values inside of sentences: one line, shortened, with what is sensitive hidden.
//
// Who calls it: explanations; whoever shows outputs, for those that are too large. Contract: no part that is
// marked is shown; strings are quoted and escaped. Cost: linear in what is shown; of two long strings, in
// their common beginning. Thread-safety: pure functions.
#pragma once
#include <string>

#include "core/value/value.h"

namespace xplan::render {

std::string short_value(const Value& v);
// "before -> after"; of long strings the part where they begin to differ. Where one side is sensitive, both
// are hidden.
std::string short_change(const Value& before, const Value& after);

// Of values that people see in full, in Value::written_size(): some 200 bytes of text and 900 of memory each.
// A few bytes of an expression or of a state can be more than anybody reads.
inline constexpr size_t kMostShown = size_t{1} << 20;
std::string too_large_text(size_t written_size);  // stands in the place of such a value

}  // namespace xplan::render
