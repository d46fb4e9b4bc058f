// The log: levels and destination from the environment (TF_LOG…), text and JSON lines, one write per line,
// filtered when the destination is a terminal.
#include "core/base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>

#include "core/base/clock.h"
#include "core/base/json_writer.h"
#include "core/base/terminal.h"

namespace xplan {
namespace log_detail {
std::atomic<LogLevel> least{LogLevel::Off};
}
namespace {

struct Settings {
  LogLevel core = LogLevel::Off, provider = LogLevel::Off, cloud = LogLevel::Off;
  bool json = false, to_terminal = false;
  std::shared_ptr<spdlog::logger> out;
} g;

LogLevel level_for(std::string_view component) {
  return component.starts_with("provider") ? g.provider : component == "cloud" ? g.cloud : g.core;
}

// Level names as they stand in lines; tools look for them in brackets.
constexpr std::string_view kNames[] = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"};

bool parse_level(std::string text, LogLevel& level, bool& json) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  level = LogLevel::Trace;
  if (text == "JSON") return json = true;
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (text == kNames[i]) return level = static_cast<LogLevel>(i), true;
  return false;
}

std::string text_line(LogLevel level, std::string_view component, std::string_view text, std::time_t at,
                      int64_t micros) {
  std::tm tm{};
  localtime_r(&at, &tm);
  char when[40], zone[8];
  std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &tm);
  std::strftime(zone, sizeof zone, "%z", &tm);
  std::string name = fmt::format("[{}]", kNames[static_cast<size_t>(level)]);
  return fmt::format("{}.{:03}{} {:<7} {}{}{}", when, micros / 1000,
                     std::string_view(zone) == "+0000" ? "Z" : zone, name,
                     component == "core" ? "" : component, component == "core" ? "" : ": ", text);
}

std::string json_line(LogLevel level, std::string_view component, std::string_view text, std::time_t at,
                      int64_t micros) {
  constexpr std::string_view names[] = {"trace", "debug", "info", "warn", "error", "off"};
  JsonWriter w;
  w.begin_object();
  w.member("@level", names[static_cast<size_t>(level)]);
  w.member("@message", text);
  if (component != "core") w.member("@module", component);
  w.member("@timestamp", utc_text(at, micros * 1000, 6));
  w.end_object();
  return w.take();
}

}  // namespace

bool log_detail::enabled(LogLevel level, std::string_view component) {
  return g.out && level >= level_for(component);
}

std::string log_start(const std::function<const char*(const char*)>& environment) {
  g = {};
  std::string problems;
  auto variable = [&](std::string_view suffix, std::string& name) -> std::string {
    for (std::string_view prefix : {"XPLAN_LOG", "TF_LOG"}) {
      name = fmt::format("{}{}", prefix, suffix);
      if (const char* v = environment(name.c_str()); v && *v) return v;
    }
    return {};
  };
  auto level_of = [&](std::string_view suffix, LogLevel otherwise) {
    std::string name, text = variable(suffix, name);
    if (text.empty()) return otherwise;
    LogLevel level = otherwise;
    if (!parse_level(text, level, g.json))
      problems += fmt::format(
          "[WARN] {} is not a valid log level: \"{}\". Everything (TRACE) is logged. The levels are TRACE, "
          "DEBUG, INFO, WARN, ERROR, OFF, and JSON for everything in JSON.\n",
          name, text);
    return level;
  };
  LogLevel all = level_of("", LogLevel::Off);
  g.core = level_of("_CORE", all);
  g.provider = level_of("_PROVIDER", all);
  g.cloud = level_of("_CLOUD", all);
  const LogLevel least = std::min({g.core, g.provider, g.cloud});
  log_detail::least.store(LogLevel::Off, std::memory_order_relaxed);
  if (least == LogLevel::Off) return problems;
  std::shared_ptr<spdlog::sinks::sink> sink;
  std::string name, path = variable("_PATH", name);
  if (!path.empty()) {
    // A named pipe that nobody reads would hang the program, and a directory that does not exist is not made.
    // The probe stays until the log has its own.
    const int probe = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (probe >= 0) {
      try {
        spdlog::file_event_handlers handlers;
        handlers.after_open = [](const spdlog::filename_t&, std::FILE* f) {
          fcntl(fileno(f), F_SETFD, FD_CLOEXEC);
        };
        sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, false, handlers);
      } catch (const spdlog::spdlog_ex&) {
      }
    }
    if (probe >= 0) ::close(probe);
    if (!sink)
      problems += fmt::format("[WARN] The log file \"{}\" ({}) cannot be opened; the log goes to stderr.\n",
                              path, name);
  }
  g.to_terminal = !sink && isatty(2);
  if (!sink) sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  g.out = std::make_shared<spdlog::logger>("log", std::move(sink));
  g.out->set_pattern("%v");
  g.out->flush_on(spdlog::level::info);
  log_detail::least.store(least, std::memory_order_relaxed);
  return problems;
}

void log_line(LogLevel level, std::string_view component, std::string_view text) {
  if (level == LogLevel::Off || !log_enabled(level, component)) return;
  auto now = std::chrono::system_clock::now().time_since_epoch();
  int64_t micros = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  std::time_t at = micros / 1000000;
  micros %= 1000000;
  while (true) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    std::string out = g.json ? json_line(level, component, line, at, micros)
                             : text_line(level, component, line, at, micros);
    if (g.to_terminal) out = for_terminal(out);
    g.out->log(spdlog::level::info, spdlog::string_view_t(out.data(), out.size()));
    if (end == std::string_view::npos || end + 1 >= text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace xplan
