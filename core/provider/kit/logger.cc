// Log lines of a provider: as JSON for the program that started it, or into the engine's own log.
#include "core/provider/kit/logger.h"

#include <algorithm>
#include <mutex>

#include "core/base/clock.h"
#include "core/base/json_writer.h"

namespace xplan::kit {
namespace {

struct ProgramLog {
  std::function<void(std::string_view)> sink;  // empty: inside the engine
  LogLevel least = LogLevel::Warn;
  std::mutex lock;
};
ProgramLog& program_log() {
  static ProgramLog log;
  return log;
}

constexpr std::pair<LogLevel, const char*> kLevelNames[] = {
    {LogLevel::Trace, "trace"}, {LogLevel::Debug, "debug"}, {LogLevel::Info, "info"},
    {LogLevel::Warn, "warn"},   {LogLevel::Error, "error"}, {LogLevel::Off, "off"}};

LogLevel level_named(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (auto [level, name] : kLevelNames)
    if (text == name) return level;
  return LogLevel::Trace;  // anything else that is set, JSON for example: everything
}

}  // namespace

Logger Logger::with(LogFields more) const {
  Logger out = *this;
  for (LogField& f : more)
    if (!f.second.empty()) out.fields_.push_back(std::move(f));
  return out;
}

bool Logger::enabled(LogLevel level) const {
  const ProgramLog& log = program_log();
  return log.sink ? level >= log.least : log_enabled(level, "provider");
}

void Logger::write(LogLevel level, std::string_view message, const LogFields& fields) const {
  if (!enabled(level)) return;
  ProgramLog& log = program_log();
  if (!log.sink) {
    std::string text(message);
    for (const LogFields* list : {&fields_, &fields})
      for (const auto& [name, value] : *list) {
        text += " " + name + "=";
        append_json_string(text, value);
      }
    return log_line(level, "provider", text);
  }
  JsonWriter w;
  w.begin_object();
  for (auto [l, name] : kLevelNames)
    if (l == level) w.member("@level", name);
  w.member("@message", message);
  w.member("@module", "provider");
  w.member("@timestamp", std::string_view(utc_now(6)));
  for (const LogFields* list : {&fields_, &fields})
    for (const auto& [name, value] : *list) w.member(name, std::string_view(value));
  w.end_object();
  std::lock_guard held(log.lock);
  log.sink(w.take() + "\n");
}

void log_as_program(std::string_view name, const std::function<const char*(const char*)>& environment,
                    std::function<void(std::string_view)> sink) {
  std::string upper(name);
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c == '-' ? '_' : c);
  ProgramLog& log = program_log();
  log.sink = std::move(sink);
  log.least = LogLevel::Warn;
  for (const std::string& variable :
       {"_LOG_PROVIDER_" + upper, std::string("_LOG_PROVIDER"), std::string("_LOG")})
    for (const char* prefix : {"TF", "XPLAN"})
      if (const char* text = environment((prefix + variable).c_str()); text && *text) {
        log.least = level_named(text);
        return;
      }
}

}  // namespace xplan::kit
