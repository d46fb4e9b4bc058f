// Times as cloud services write them.
//
// Who calls it: what reads when keys end, and what a server's clock says.  Cost: constant. Thread-safety:
// pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace xplan::cloud {

int64_t unix_now();
std::optional<int64_t> parse_timestamp(const std::string& text);  // 2026-01-02T03:04:05.6Z, …+01:00
std::optional<int64_t> parse_http_date(const std::string& text);  // Fri, 02 Jan 2026 03:04:05 GMT
std::string http_date(int64_t seconds);                           // the same, whatever the locale
std::string timestamp(int64_t seconds);                           // 2026-01-02T03:04:05Z
std::string basic_timestamp(int64_t seconds);                     // 20260102T030405Z
std::string timestamp(int64_t seconds);                           // 2026-01-02T03:04:05Z

}  // namespace xplan::cloud
