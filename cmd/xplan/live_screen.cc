// Moves the cursor over the lines that were shown, and writes what differs.
#include "cmd/xplan/live_screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "core/base/terminal.h"

namespace xplan::cmd {
namespace {

std::string up(size_t lines) {
  return lines ? terminal_code(fmt::format("\x1b[{}A", lines)) : "";
}

}  // namespace

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(1, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {std::max<int>(size.ws_col, 20), std::max<int>(size.ws_row, 3)};
}

void LiveScreen::draw(const std::string& staying, std::vector<std::string> lines) {
  if (staying.empty() && lines == shown_) return;
  const std::string to_end = terminal_code("\x1b[K"), below = terminal_code("\x1b[J");
  std::string out = up(shown_.size());
  if (!staying.empty()) {
    out += below + staying;
    shown_.clear();
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i >= shown_.size() || shown_[i] != lines[i]) out += lines[i] + to_end;
    out += '\n';
  }
  if (lines.size() < shown_.size()) out += below;
  io_.out(out);
  shown_ = std::move(lines);
}

void LiveScreen::clear() {
  if (shown_.empty()) return;
  io_.out(up(shown_.size()) + terminal_code("\x1b[J"));
  shown_.clear();
}

}  // namespace xplan::cmd
