// RFC 3339 timestamps in UTC with a chosen number of fractional digits.
#include "core/base/clock.h"

#include <fmt/format.h>

#include <ctime>

namespace xplan {

std::string utc_text(int64_t seconds, int64_t nanoseconds, int digits) {
  const std::time_t at = static_cast<std::time_t>(seconds);
  std::tm tm{};
  ::gmtime_r(&at, &tm);
  char when[40];
  std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
  std::string out = when;
  if (digits > 0) out += '.' + fmt::format("{:09}", nanoseconds).substr(0, static_cast<size_t>(digits));
  return out += 'Z';
}

std::string utc_now(int digits) {
  std::timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return utc_text(now.tv_sec, now.tv_nsec, digits);
}

}  // namespace xplan
