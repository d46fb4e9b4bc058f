// Lays out the live lines: failures above, then what runs, then one line about the whole.
#include "render/live/live_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/terminal.h"
#include "core/base/utf8.h"
#include "render/text.h"

namespace xplan::render {
namespace {

constexpr int kMostFailed = 5, kBar = 20;

std::string operation_line(std::string_view lead, const LiveOperation& op, std::string_view rest, int width) {
  const std::string tail = fmt::format(": {}{}", op.doing, rest);
  const int room = width - 1 - display_width(lead) - display_width(tail);
  return end_of_text(std::string(lead) + middle_left_out(op.name, std::max(room, 8)) + tail, width - 1);
}

std::string bar(const LiveStatus& s) {
  const size_t ended = std::min(s.done + s.failed_in_all, s.expected);
  const size_t full = ended * kBar / s.expected;
  return "[" + std::string(full, '=') + std::string(full < kBar ? 1 : 0, '>') +
         std::string(full < kBar ? kBar - full - 1 : 0, ' ') + "] ";
}

// As much of it as fits, what matters most first.
std::string total_line(const LiveStatus& s, int width) {
  const size_t ended = s.done + s.failed_in_all;
  const bool known = s.expected > 0 && ended <= s.expected;
  std::vector<std::string> parts;
  parts.push_back(known ? fmt::format("{} of {} done", grouped_digits(s.done), grouped_digits(s.expected))
                        : fmt::format("{} done", grouped_digits(s.done)));
  if (s.failed_in_all) parts.push_back(fmt::format("{} failed", grouped_digits(s.failed_in_all)));
  if (s.stopping) parts.emplace_back("stopping");
  parts.push_back(seconds_text(s.seconds));
  if (known && s.per_second > 0 && ended < s.expected && !s.stopping)
    parts.push_back(fmt::format(
        "about {} left",
        seconds_text(static_cast<int64_t>(static_cast<double>(s.expected - ended) / s.per_second + 1))));
  if (s.per_second > 0)
    parts.push_back(s.per_second >= 1 ? fmt::format("{:.0f}/s", s.per_second)
                                      : fmt::format("{:.0f}/min", s.per_second * 60));
  std::string out;
  for (const std::string& p : parts) {
    const std::string more = out.empty() ? p : ", " + p;
    if (!out.empty() && display_width(out + more) > width - 1) break;
    out += more;
  }
  const std::string front = known ? bar(s) : "";
  return display_width(front + out) < width ? front + out : end_of_text(out, width - 1);
}

std::string styled(const std::string& text, Style style, bool color) {
  std::string out;
  put(out, text, style, color);
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string shown = for_terminal(text);
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  return shown;
}

}  // namespace

std::string end_of_text(std::string_view text, int columns) {
  const std::string shown = on_one_line(text);
  if (display_width(shown) <= columns) return shown;
  const std::vector<uint32_t> clusters = graphemes(shown);
  size_t begin = shown.size();
  int used = 1;  // the mark
  for (size_t i = clusters.size(); i > 0; --i) {
    const size_t at = begin - clusters[i - 1];
    used += display_width(std::string_view(shown).substr(at, clusters[i - 1]));
    if (used > columns) break;
    begin = at;
  }
  return "…" + shown.substr(begin);
}

std::string middle_left_out(std::string_view text, int columns) {
  const std::string shown = on_one_line(text);
  if (display_width(shown) <= columns) return shown;
  size_t front = 0;
  int used = 0;
  for (const uint32_t cluster : graphemes(shown)) {
    const int more = display_width(std::string_view(shown).substr(front, cluster));
    if (used + more > (columns - 1) * 2 / 5) break;
    used += more;
    front += cluster;
  }
  return shown.substr(0, front) + end_of_text(std::string_view(shown).substr(front), columns - used);
}

std::vector<std::string> live_lines(const LiveStatus& s, int width, int height, bool color) {
  std::vector<std::string> out;
  const int most_failed = std::clamp((height - 2) / 3, 0, kMostFailed);
  const int shown_failed = std::min<int>(most_failed, static_cast<int>(s.failed.size()));
  const bool more_failed = shown_failed > 0 && s.failed_in_all > static_cast<size_t>(shown_failed);
  for (int i = 0; i < shown_failed; ++i) {
    const LiveOperation& op = s.failed[s.failed.size() - static_cast<size_t>(shown_failed - i)];
    out.push_back(styled(operation_line("  failed: ", op, ", after " + seconds_text(op.seconds), width),
                         Style::Red, color));
  }
  if (more_failed)
    out.push_back(styled(fmt::format("  failed: and {} before",
                                     grouped_digits(s.failed_in_all - static_cast<size_t>(shown_failed))),
                         Style::Red, color));
  int room = height - static_cast<int>(out.size()) - 1;
  const bool all = s.running_in_all <= static_cast<size_t>(std::max(room, 0));
  if (!all) --room;
  const int shown = std::clamp(room, 0, static_cast<int>(s.running.size()));
  for (int i = 0; i < shown; ++i) {
    const LiveOperation& op = s.running[static_cast<size_t>(i)];
    out.push_back(operation_line("  ", op, ", " + seconds_text(op.seconds), width));
  }
  if (!all && room >= 0)
    out.push_back(
        fmt::format("  and {} more", grouped_digits(s.running_in_all - static_cast<size_t>(shown))));
  out.push_back(styled(total_line(s, width), Style::Bold, color));
  return out;
}

}  // namespace xplan::render
