// Splits a plugin's output into lines, forwards them to the log with their level, and keeps the last lines
// (of a panic the first) for error messages.
#include "core/provider/plugin/output.h"

#include <fmt/format.h>

#include "core/base/json_reader.h"
#include "core/base/utf8.h"

namespace xplan::plugin {
namespace {

constexpr size_t kLines = 20, kPanicLines = 40, kLineBytes = 4096, kOpenBytes = 1 << 20;

LogLevel level_of(std::string_view name) {
  if (name == "trace") return LogLevel::Trace;
  if (name == "info") return LogLevel::Info;
  if (name == "warn") return LogLevel::Warn;
  if (name == "error") return LogLevel::Error;
  return LogLevel::Debug;
}

bool starts_panic(std::string_view line) {
  return line.starts_with("panic: ") || line.starts_with("fatal error: ") ||
         line.starts_with("terminate called");
}

}  // namespace

LogText read_log_line(std::string_view line) {
  LogText out;
  if (line.starts_with("{")) {
    JsonError error;
    auto doc = JsonDocument::parse(line, error);
    const JsonNode* message = doc ? doc->root().find("@message") : nullptr;
    if (message && message->is_string()) {
      const JsonNode* level = doc->root().find("@level");
      const JsonNode* module = doc->root().find("@module");
      out.structured = true;
      out.level = level_of(level ? level->str() : "");
      out.message = message->text;
      out.text = module ? fmt::format("{}: {}", module->str(), message->text) : std::string(message->text);
      for (const JsonMember& m : doc->root().members)
        if (!m.key.starts_with("@"))
          out.text +=
              fmt::format(" {}={}", m.key, line.substr(m.value->begin, m.value->end - m.value->begin));
      return out;
    }
  }
  for (auto [mark, level] : {std::pair("[TRACE]", LogLevel::Trace), std::pair("[INFO]", LogLevel::Info),
                             std::pair("[WARN]", LogLevel::Warn), std::pair("[ERROR]", LogLevel::Error)})
    if (line.find(mark) != std::string_view::npos) out.level = level;
  if (starts_panic(line)) out.level = LogLevel::Error;
  out.text = out.message = std::string(line);
  return out;
}

void Output::add(Stream s, std::string_view bytes) {
  std::lock_guard lock(mutex_);
  std::string& open = open_[s];
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      open.append(bytes.substr(0, kOpenBytes - std::min(open.size(), kOpenBytes)));
      return;
    }
    if (open.empty()) {
      line(bytes.substr(0, end));
    } else {
      open.append(bytes.substr(0, std::min(end, kOpenBytes - std::min(open.size(), kOpenBytes))));
      line(open);
      open.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void Output::finish() {
  std::lock_guard lock(mutex_);
  for (std::string& open : open_) {
    if (!open.empty()) line(open);
    open.clear();
  }
}

void Output::line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (text.empty()) return;
  LogText l = read_log_line(text);
  log_line(l.level, component_, l.text);
  if (!panic_.empty() || (!l.structured && starts_panic(text))) {
    if (panic_.size() < kPanicLines) panic_.emplace_back(text.substr(0, kLineBytes));
  } else if (!l.structured || l.level >= LogLevel::Warn) {
    keep(l.message);
  }
}

void Output::keep(std::string_view text) {
  last_.emplace_back(text.substr(0, kLineBytes));
  if (last_.size() > kLines) last_.pop_front();
}

std::string Output::last_lines() const {
  std::lock_guard lock(mutex_);
  std::string out;
  auto add = [&](const std::string& l) {
    if (!out.empty()) out += '\n';
    for (size_t i = 0; i < l.size();) {
      char32_t c = utf8_decode(l, i);
      utf8_append(out, (c < 0x20 && c != '\t') || c == 0x7f ? U'\uFFFD' : c);
    }
  };
  if (!panic_.empty())
    for (const std::string& l : panic_) add(l);
  else
    for (const std::string& l : last_) add(l);
  return out;
}

}  // namespace xplan::plugin
