// Reads a duration number by number, each with its unit.
#include "core/base/duration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace xplan {

bool parse_duration_ms(const std::string& text, int64_t& ms) {
  constexpr double kMost = 9e15;
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ns", 1e-6}, {"us", 1e-3}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  if (text == "0") return ms = 0, true;
  double total = 0;
  const char *at = text.data(), *end = at + text.size();
  if (at == end) return false;
  while (at != end) {
    double n = 0;
    if (*at == '-' || *at == '+') return false;
    const auto [behind, failed] = std::from_chars(at, end, n, std::chars_format::fixed);
    if (failed != std::errc() || !std::isfinite(n)) return false;
    const std::string_view rest(behind, static_cast<size_t>(end - behind));
    const size_t length = std::min(rest.find_first_of("0123456789."), rest.size());
    const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](const auto& u) { return u.first == rest.substr(0, length); });
    if (unit == std::end(kUnits)) return false;
    total += n * unit->second;
    at = behind + length;
  }
  if (!(total <= kMost)) return false;
  ms = static_cast<int64_t>(total);
  return true;
}

}  // namespace xplan
