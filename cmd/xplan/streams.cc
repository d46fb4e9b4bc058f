#include "cmd/xplan/streams.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>

namespace xplan::cmd {
namespace {

int write_all(int fd, std::string_view s) {  // 0, or the system's error
  while (!s.empty()) {
    ssize_t n = ::write(fd, s.data(), s.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return errno;
    s.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace

void Streams::out(std::string_view text) {
  std::lock_guard guard(lock_);
  buffer_ += text;
  if (out_is_terminal || buffer_.size() > 65536) {
    if (int error = write_all(1, buffer_)) broken_ = error;
    buffer_.clear();
  }
}

void Streams::err(std::string_view text) {
  flush();
  std::lock_guard guard(lock_);
  write_all(2, text);
}

void Streams::flush() {
  std::lock_guard guard(lock_);
  if (int error = write_all(1, buffer_)) broken_ = error;
  buffer_.clear();
}

bool Streams::read_line(std::string& line) {
  flush();
  return static_cast<bool>(std::getline(std::cin, line));
}

}  // namespace xplan::cmd
