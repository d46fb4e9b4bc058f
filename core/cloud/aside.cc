// Reads what a program says, and shows the beginning of it without what acts on a terminal.
#include "core/cloud/aside.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "core/base/terminal.h"
#include "core/base/threads.h"

namespace xplan::cloud {

Aside::~Aside() {
  over_ = true;
  if (reader_.joinable()) reader_.join();
}

bool Aside::begin() {
  if (pipe_.open()) reader_ = optional_thread([this] { take_no_signals(), show(); });
  return reader_.joinable();
}

void Aside::show() {
  constexpr size_t kMost = 64 << 10;
  TerminalFilter filter;
  size_t shown = 0;
  for (char buffer[4096];;) {
    pollfd p{pipe_.read, POLLIN, 0};
    const bool over = over_;  // by then, all that counts is in the pipe
    if (::poll(&p, 1, over ? 0 : 50) <= 0) {
      if (over) return;
      continue;
    }
    const ssize_t n = ::read(pipe_.read, buffer, sizeof buffer);
    if (n <= 0 || (over && shown >= kMost)) return;
    if (shown >= kMost) continue;
    std::string text;
    filter.add({buffer, static_cast<size_t>(n)}, text);
    if ((shown += text.size()) >= kMost) text += "…\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }
}

}  // namespace xplan::cloud
