// Calendar arithmetic without the C library: parsing and printing RFC 3339 timestamps, durations, and adding
// one to the other.
#include "core/eval/functions/timestamps.h"

#include <cstdio>

namespace xplan::eval {

namespace {

constexpr int64_t kDay = 86400;
constexpr int32_t kNanos = 1'000'000'000;

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Days since 1970-01-01. Years are counted from March so that the leap day comes last.
int64_t days_of(int64_t year, int month, int day) {
  if (month <= 2) year--;
  int64_t era = floor_div(year, 400), year_of_era = year - era * 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

struct Reader {
  std::string_view rest;
  bool fixed(size_t digits, int min, int max, int& out) {
    if (rest.size() < digits) return false;
    int n = 0;
    for (size_t i = 0; i < digits; i++) {
      if (rest[i] < '0' || rest[i] > '9') return false;
      n = n * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(digits);
    out = n;
    return n >= min && n <= max;
  }
  bool skip(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
};

}  // namespace

bool valid_date(int64_t year, int month, int day) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return day <= kDays[month - 1] + (month == 2 && leap);
}

int64_t to_seconds(const CivilTime& t, int offset) {
  return days_of(t.year, t.month, t.day) * kDay + t.hour * 3600 + t.minute * 60 + t.second - offset;
}

CivilTime to_civil(const Timestamp& t) {
  int64_t local = t.seconds + t.offset;
  int64_t days = floor_div(local, kDay), rest = local - days * kDay;
  CivilTime c;
  c.hour = int(rest / 3600), c.minute = int(rest / 60 % 60), c.second = int(rest % 60);
  c.weekday = int((days % 7 + 11) % 7);
  int64_t z = days + 719468, era = floor_div(z, 146097), day_of_era = z - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t m = (5 * day_of_year + 2) / 153;
  c.day = int(day_of_year - (153 * m + 2) / 5 + 1);
  c.month = int(m < 10 ? m + 3 : m - 9);
  c.year = year_of_era + era * 400 + (c.month <= 2);
  return c;
}

bool parse_timestamp(std::string_view text, bool lenient, Timestamp& out, std::string& why) {
  Reader r{text};
  CivilTime c;
  int year = 0, zone_hour = 0, zone_minute = 0;
  auto fail = [&](const char* what) {
    why = what;
    return false;
  };
  if (!r.fixed(4, 0, 9999, year)) return fail("this one does not start with a year of four digits");
  c.year = year;
  if (!r.skip('-') || !r.fixed(2, 1, 12, c.month))
    return fail("a month from 01 to 12 must follow the year after a dash");
  if (!r.skip('-') || !r.fixed(2, 1, 31, c.day))
    return fail("a day of two digits must follow the month after a dash");
  if (!valid_date(year, c.month, c.day)) return fail("the month does not have that day");
  if (!r.skip('T')) return fail("there must be a capital T between date and time");
  bool one_digit = lenient && r.rest.size() > 1 && r.rest[1] == ':';
  if (!r.fixed(one_digit ? 1 : 2, 0, 23, c.hour)) return fail("the hour must be two digits from 00 to 23");
  if (!r.skip(':') || !r.fixed(2, 0, 59, c.minute))
    return fail("minutes from 00 to 59 must follow the hour after a colon");
  if (!r.skip(':') || !r.fixed(2, 0, 59, c.second))
    return fail("seconds from 00 to 59 must follow the minutes after a colon");
  out.nanos = 0;
  if (r.rest.starts_with('.') || (lenient && r.rest.starts_with(','))) {
    r.rest.remove_prefix(1);
    int32_t unit = kNanos;
    size_t digits = 0;
    for (; digits < r.rest.size() && r.rest[digits] >= '0' && r.rest[digits] <= '9'; digits++) {
      unit /= 10;
      out.nanos += (r.rest[digits] - '0') * unit;
    }
    if (digits == 0) return fail("a fraction of a second must have digits");
    r.rest.remove_prefix(digits);
  }
  out.offset = 0;
  if (r.rest != "Z") {
    bool west = r.rest.starts_with('-');
    if (!r.skip(west ? '-' : '+') || !r.fixed(2, 0, lenient ? 24 : 23, zone_hour) || !r.skip(':') ||
        !r.fixed(2, 0, lenient ? 60 : 59, zone_minute) || !r.rest.empty()) {
      return fail("it must end with Z or with an offset from UTC such as +01:00");
    }
    out.offset = (zone_hour * 60 + zone_minute) * 60 * (west ? -1 : 1);
  }
  out.seconds = to_seconds(c, out.offset);
  return true;
}

std::string offset_text(int offset, bool colon) {
  int minutes = (offset < 0 ? -offset : offset) / 60;
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%c%02d%s%02d", offset < 0 ? '-' : '+', minutes / 60, colon ? ":" : "",
                minutes % 60);
  return buffer;
}

std::string timestamp_text(const Timestamp& t) {
  CivilTime c = to_civil(t);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s%04lld-%02d-%02dT%02d:%02d:%02d", c.year < 0 ? "-" : "",
                static_cast<long long>(c.year < 0 ? -c.year : c.year), c.month, c.day, c.hour, c.minute,
                c.second);
  return buffer + (t.offset == 0 ? "Z" : offset_text(t.offset, true));
}

bool parse_duration(std::string_view text, int64_t& nanos, std::string& why) {
  struct Unit {
    std::string_view name;
    uint64_t nanos;
  };
  constexpr Unit kUnits[] = {{"ns", 1},
                             {"us", 1000},
                             {"\xC2\xB5s", 1000},
                             {"\xCE\xBCs", 1000},
                             {"ms", 1'000'000},
                             {"s", uint64_t(kNanos)},
                             {"m", 60ull * kNanos},
                             {"h", 3600ull * kNanos}};
  constexpr uint64_t kLimit = uint64_t{1} << 63;
  constexpr const char* kRange = "the duration is longer than about 292 years";
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return nanos = 0, true;
  auto digit = [&] { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
  auto fail = [&](const char* what) {
    why = what;
    return false;
  };
  if (text.empty()) return fail("a duration is a number with a unit, such as 90s, 1h30m or -36h");
  uint64_t total = 0;
  while (!text.empty()) {
    uint64_t whole = 0, fraction = 0;
    double scale = 1;
    bool any = false, full = false;
    for (; digit(); text.remove_prefix(1), any = true) {
      if (whole > kLimit / 10) return fail(kRange);
      whole = whole * 10 + uint64_t(text[0] - '0');
      if (whole > kLimit) return fail(kRange);
    }
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      for (; digit(); text.remove_prefix(1), any = true) {  // digits beyond 63 bits do not count
        if (full) continue;
        if (fraction > (kLimit - 1) / 10 || fraction * 10 + uint64_t(text[0] - '0') > kLimit) {
          full = true;
          continue;
        }
        fraction = fraction * 10 + uint64_t(text[0] - '0');
        scale *= 10;
      }
    }
    if (!any) return fail("a duration is a sequence of numbers with units, such as 1h30m");
    size_t end = 0;
    while (end < text.size() && text[end] != '.' && !(text[end] >= '0' && text[end] <= '9')) end++;
    const Unit* unit = nullptr;
    for (const Unit& u : kUnits) {
      if (u.name == text.substr(0, end)) unit = &u;
    }
    if (!unit) return fail("every number in a duration requires one of the units ns, us, ms, s, m and h");
    text.remove_prefix(end);
    if (whole > kLimit / unit->nanos) return fail(kRange);
    whole *= unit->nanos;
    if (fraction > 0) whole += uint64_t(double(fraction) * (double(unit->nanos) / scale));
    if (whole > kLimit) return fail(kRange);
    total += whole;
    if (total > kLimit) return fail(kRange);
  }
  if (total == kLimit && !negative) return fail(kRange);
  nanos = negative ? int64_t(0 - total) : int64_t(total);
  return true;
}

Timestamp add_nanos(Timestamp t, int64_t nanos) {
  t.seconds += floor_div(nanos, kNanos);
  int32_t rest = int32_t(nanos % kNanos);
  t.nanos += rest < 0 ? rest + kNanos : rest;
  if (t.nanos >= kNanos) t.nanos -= kNanos, t.seconds++;
  return t;
}

}  // namespace xplan::eval
