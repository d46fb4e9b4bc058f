// Streams: where a command reads and writes, and what it may assume of the reader.
//
// Who calls it: every command; main.cc makes the real one.
// Contract: what goes to a terminal passes a filter (base/terminal.h), so that nothing in a value, a name or
// what another program said can act on it; to files and pipes bytes go as they are.
// Thread-safety: out() and err() lock, so lines of concurrent progress do not mix; one thread reads. Cost:
// one write per call; the filter is linear and skipped for files and pipes.
#pragma once
#include <mutex>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/terminal.h"

namespace xplan::cmd {

enum class Typed : unsigned char { Line, End, Interrupted };
enum class Echo : unsigned char { Shown, Hidden };

class Streams {
 public:
  bool out_is_terminal = false, in_is_terminal = false, err_is_terminal = false;
  bool colors_in_files = false;  // our own codes go to files and pipes, too (FORCE_COLOR)
  int width = 78;
  void out(std::string_view text);
  void err(std::string_view text);
  void flush();
  // One line from standard input, without its end. A signal while it is awaited (Ctrl-C) ends the waiting,
  // not the process. Hidden: what is typed at a terminal is not shown there.
  Typed read_line(std::string& line, Echo echo = Echo::Shown);
  bool would_wait() const;         // read_line() has to wait for somebody, as far as a look tells
  Result<std::string> read_all();  // the rest of standard input
  // Standard output can take no more: the number of the system's error (a closed pipe, a full disk), else 0.
  int broken() const { return broken_; }

 private:
  std::mutex lock_;
  std::string buffer_, typed_;  // not written yet; read, but not asked for yet
  TerminalFilter filter_;       // of standard output
  int broken_ = 0;
};

}  // namespace xplan::cmd
