// The time of day as text, RFC 3339 in UTC.
//
// Who calls it: the log, lock files, streams of JSON, the commands.  Cost: constant. Thread-safety: pure
// functions.
#pragma once
#include <cstdint>
#include <string>

namespace xplan {

// `digits` of the second, cut off, not rounded: 0 to 9.
std::string utc_text(int64_t seconds, int64_t nanoseconds, int digits);
std::string utc_now(int digits = 0);

}  // namespace xplan
