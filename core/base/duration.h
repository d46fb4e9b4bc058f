// Durations as people write them on command lines, in Go's form: 30s, 1m30s, 500ms.
//
// Who calls it: whoever takes a duration as text.  Thread-safety: pure function.  Cost: linear.
#pragma once
#include <cstdint>
#include <string>

namespace xplan {

// False: it is not a duration. What is shorter than a millisecond counts as nothing.
bool parse_duration_ms(const std::string& text, int64_t& ms);

}  // namespace xplan
