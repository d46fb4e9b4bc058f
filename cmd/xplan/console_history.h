// ConsoleHistory: the lines that were typed at the console, kept in a file for the next time.
//
// Who calls it: line_editor.cc.
// Contract: nobody but the owner can read the file (0600, in directories of 0700 where they had to be made).
// A line that begins with a space is not kept, nor is one that repeats the last. A file that cannot be read
// or written is not an error: then there is simply no history.  Cost: the file is read once and holds 2,000
// lines at the most; keeping a line appends to it.  Thread-safety: one thread; several processes may append.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xplan::cmd {

class ConsoleHistory {
 public:
  explicit ConsoleHistory(std::string path) : path_(std::move(path)) {}  // empty: nothing is kept
  // Where the environment wants it: XPLAN_CONSOLE_HISTORY (empty: nowhere), else
  // $XDG_STATE_HOME/xplan/console_history, which is below ~/.local/state where it is not set.
  static std::string default_path(const std::function<const char*(const char*)>& environment);

  std::vector<std::string> load();   // oldest first
  bool keep(std::string_view line);  // false: it is not to be remembered

 private:
  std::string path_, last_;
};

}  // namespace xplan::cmd
