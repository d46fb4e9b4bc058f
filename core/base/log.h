// Log: lines for whoever looks for the reason of a problem. Off unless the environment asks for it.
//
// Who calls it: log_start() once by cmd, before any thread; log_line() everything, provider connections
// included. Contract: text never holds a sensitive value or one of a configuration: addresses, counts, paths,
// times.  Components: "core"; "provider" / "provider.NAME"; "cloud", for requests to HCP Terraform and
// servers like it. Cost: one relaxed load where logging is off; guard texts that cost something with
// log_enabled(). Thread-safety: everything but log_start(). Lines are whole, and each is written in one step.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace xplan {

enum class LogLevel : uint8_t { Trace, Debug, Info, Warn, Error, Off };

namespace log_detail {
extern std::atomic<LogLevel> least;  // the least level that any component writes
bool enabled(LogLevel level, std::string_view component);
}  // namespace log_detail

// Reads XPLAN_LOG, XPLAN_LOG_CORE, …_PROVIDER, …_CLOUD and …_PATH, or the same with TF_LOG. The result is
// what is wrong with them, for the user; empty when nothing is.
std::string log_start(const std::function<const char*(const char*)>& environment);

inline bool log_enabled(LogLevel level, std::string_view component = "core") {
  return level >= log_detail::least.load(std::memory_order_relaxed) && log_detail::enabled(level, component);
}
// One line, or one per line of `text`. Does nothing when the level is off.
void log_line(LogLevel level, std::string_view component, std::string_view text);

}  // namespace xplan
