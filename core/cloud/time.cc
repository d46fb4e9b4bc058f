// Times as text: RFC 3339 and the dates of HTTP.
#include "core/cloud/time.h"

#include <cstdio>
#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>

namespace xplan::cloud {
namespace {

std::istringstream& read_time(std::istringstream& in, const char* format, std::tm& t) {
  in.imbue(std::locale::classic());
  in >> std::get_time(&t, format);
  return in;
}

std::string formatted(int64_t seconds, const char* format) {
  const std::time_t at = static_cast<std::time_t>(seconds);
  std::tm t{};
  gmtime_r(&at, &t);
  char out[32];
  std::strftime(out, sizeof out, format, &t);
  return out;
}

}  // namespace

int64_t unix_now() {
  return static_cast<int64_t>(std::time(nullptr));
}

std::optional<int64_t> parse_timestamp(const std::string& text) {
  std::istringstream in(text);
  std::tm t{};
  if (!read_time(in, "%Y-%m-%dT%H:%M:%S", t)) return std::nullopt;
  int64_t out = timegm(&t);
  if (in.peek() == '.')
    for (in.get(); in.peek() >= '0' && in.peek() <= '9';) in.get();
  const int sign = in.get();
  if (sign == 'Z') return out;
  int hours = 0, minutes = 0;
  char colon = 0;
  if ((sign != '+' && sign != '-') || !(in >> hours >> colon >> minutes) || colon != ':' || hours > 14 ||
      hours < 0 || minutes < 0 || minutes > 59)
    return std::nullopt;
  return out - (sign == '+' ? 1 : -1) * (hours * 3600 + minutes * 60);
}

std::optional<int64_t> parse_http_date(const std::string& text) {
  std::istringstream in(text);
  std::tm t{};
  if (!read_time(in, "%a, %d %b %Y %H:%M:%S", t)) return std::nullopt;
  return timegm(&t);
}

std::string basic_timestamp(int64_t seconds) {
  return formatted(seconds, "%Y%m%dT%H%M%SZ");
}

std::string timestamp(int64_t seconds) {
  return formatted(seconds, "%Y-%m-%dT%H:%M:%SZ");
}

std::string http_date(int64_t seconds) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t at = static_cast<std::time_t>(seconds);
  std::tm t{};
  gmtime_r(&at, &t);
  char rest[32];
  std::strftime(rest, sizeof rest, "%Y %H:%M:%S GMT", &t);
  return std::string(kDays[t.tm_wday]) + (t.tm_mday < 10 ? ", 0" : ", ") + std::to_string(t.tm_mday) + " " +
         kMonths[t.tm_mon] + " " + rest;
}

}  // namespace xplan::cloud
