// LineEditor: a prompt on a terminal, with history and completion.
//
// Who calls it: console.cc when standard input is a terminal.
// Contract: one editor at a time, because the library behind it has global state.  Thread-safety: one thread.
#pragma once
#include <string>
#include <vector>

namespace xplan::cmd {

class LineEditor {
 public:
  explicit LineEditor(std::vector<std::string> words);  // offered for completion
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  // False at the end of the input (Ctrl-D).
  bool read(const char* prompt, std::string& line);
};

}  // namespace xplan::cmd
