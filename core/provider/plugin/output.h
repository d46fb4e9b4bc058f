// What a plugin prints: split into lines, forwarded to the log, and the last of it kept for error messages.
//
// Who calls it: the thread that reads a plugin's pipes, and the one that drains its output stream.
// Contract: structured lines (hclog's JSON) are forwarded with their own level, other lines as debug. Kept
// for messages are plain lines and structured ones from warning on; of a panic, its beginning. Lines are cut
// at 4 KiB there; nothing grows with the output.  Cost: linear.  Thread-safety: any thread.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/log.h"

namespace xplan::plugin {

class Output {
 public:
  explicit Output(std::string component) : component_(std::move(component)) {}
  enum Stream { kStdout, kStderr };
  void add(Stream s, std::string_view bytes);
  void finish();  // the rest without a line end
  // The last lines, or the panic; empty when nothing of interest was printed.
  std::string last_lines() const;

 private:
  void line(std::string_view text);
  void keep(std::string_view text);

  const std::string component_;
  mutable std::mutex mutex_;
  std::string open_[2];  // lines that have not ended
  std::deque<std::string> last_;
  std::vector<std::string> panic_;
};

// The level of a line and what is to be logged of it.
struct LogText {
  LogLevel level = LogLevel::Debug;
  bool structured = false;
  std::string text, message;  // all of it; the message alone
};
LogText read_log_line(std::string_view line);

}  // namespace xplan::plugin
