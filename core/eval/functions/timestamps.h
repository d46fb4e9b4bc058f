// Points in time and durations as text (RFC 3339; 1h30m).
//
// Who calls it: datetime.cc; yaml_scalar.cc for dates in YAML.
// Invariant: the calendar is the Gregorian one for all years; an offset is kept as given.
// Cost: constant.  Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xplan::eval {

struct Timestamp {
  int64_t seconds = 0;  // since 1970-01-01T00:00:00Z
  int32_t nanos = 0;    // [0, 1e9)
  int32_t offset = 0;   // seconds east of UTC
};
struct CivilTime {
  int64_t year = 1970;
  int month = 1, day = 1, hour = 0, minute = 0, second = 0;
  int weekday = 4;  // 0: Sunday
};

bool valid_date(int64_t year, int month, int day);
// The instant of a local date and time at an offset; the parts are in range.
int64_t to_seconds(const CivilTime& t, int offset);
CivilTime to_civil(const Timestamp& t);  // local time at its offset

// RFC 3339. `lenient` also takes what comparisons have always taken: an hour of one digit, a comma before the
// fraction, offsets up to 24:60. On failure `why` says what is wrong, a phrase.
bool parse_timestamp(std::string_view text, bool lenient, Timestamp& out, std::string& why);
std::string timestamp_text(const Timestamp& t);   // RFC 3339 without a fraction
std::string offset_text(int offset, bool colon);  // +05:30, +0530
// A signed sequence of numbers with units (ns, us, µs, ms, s, m, h), at most about 292 years, in nanoseconds.
bool parse_duration(std::string_view text, int64_t& nanos, std::string& why);
Timestamp add_nanos(Timestamp t, int64_t nanos);

}  // namespace xplan::eval
