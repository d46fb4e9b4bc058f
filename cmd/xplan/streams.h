// Streams: where a command reads and writes, and what it may assume of the reader.
//
// Who calls it: every command; main.cc makes the real one.  Thread-safety: out() and err() lock, so lines of
// concurrent progress do not mix.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

namespace xplan::cmd {

class Streams {
 public:
  bool out_is_terminal = false, in_is_terminal = false, err_is_terminal = false;
  int width = 78;
  void out(std::string_view text);
  void err(std::string_view text);
  void flush();
  // One line from standard input; false at its end.
  bool read_line(std::string& line);
  // Standard output can take no more: the number of the system's error (a closed pipe, a full disk), else 0.
  int broken() const { return broken_; }

 private:
  std::mutex lock_;
  std::string buffer_;
  int broken_ = 0;
};

}  // namespace xplan::cmd
