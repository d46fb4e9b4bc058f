// Logger: log lines with fields, for whoever looks for the reason of a problem.
//
// Who calls it: provider code, as context.log() or call.log(): log.info("created", {{"id", id}}).
// Contract: in a plugin program a line is a JSON object on standard error with @level, @message, @module,
// @timestamp and the fields, which engines put into their own log; inside the engine it goes there at once.
// The level is that of TF_LOG_PROVIDER_NAME, of TF_LOG_PROVIDER, or of TF_LOG (or the same with XPLAN_LOG),
// the first that is set; without any, warnings and errors are written. Never log a sensitive value. Cost: a
// comparison where the level is off; else one write. Thread-safety: any thread; lines are whole.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/log.h"

namespace xplan::kit {

using LogField = std::pair<std::string, std::string>;
using LogFields = std::vector<LogField>;

class Logger {
 public:
  Logger with(LogFields more) const;  // the same, with these fields in every line
  bool enabled(LogLevel level) const;
  void write(LogLevel level, std::string_view message, const LogFields& fields = {}) const;
  void trace(std::string_view m, const LogFields& f = {}) const { write(LogLevel::Trace, m, f); }
  void debug(std::string_view m, const LogFields& f = {}) const { write(LogLevel::Debug, m, f); }
  void info(std::string_view m, const LogFields& f = {}) const { write(LogLevel::Info, m, f); }
  void warn(std::string_view m, const LogFields& f = {}) const { write(LogLevel::Warn, m, f); }
  void error(std::string_view m, const LogFields& f = {}) const { write(LogLevel::Error, m, f); }

 private:
  LogFields fields_;
};

// From now on lines are JSON, given to `sink` one at a time, each with its end of line: what serve() does
// with standard error. `name` is the provider's ("notes"). Not while others log.
void log_as_program(std::string_view name, const std::function<const char*(const char*)>& environment,
                    std::function<void(std::string_view line)> sink);

}  // namespace xplan::kit
