// LineEditor: a prompt on a terminal, with history and completion.
//
// Who calls it: console.cc when standard input is a terminal.
// Contract: lines are UTF-8, whatever the environment says. Ctrl-C drops the line that is being typed. One
// editor at a time, because the library behind it has global state.
// Thread-safety: one thread. Cost: the history is read once.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/console_history.h"
#include "cmd/xplan/streams.h"

namespace xplan::cmd {

class LineEditor {
 public:
  // The words are offered for completion.
  LineEditor(std::vector<std::string> words, ConsoleHistory history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  Typed read(const char* prompt, std::string& line);  // the end of the input is Ctrl-D
  bool was_typing() const;                            // whether anything was typed at the last prompt

 private:
  ConsoleHistory history_;
};

}  // namespace xplan::cmd
