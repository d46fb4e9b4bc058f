// The last lines of a terminal, redrawn in place; what is to stay is printed above them.
//
// Who calls it: live_progress.cc, from its painting thread.
// Contract: after clear() the terminal is as if nothing had been shown. Lines that did not change are not
// sent again. When the terminal became narrower, what was shown before may stay above: nothing that was
// printed to stay is ever erased. Cost: one write per call.  Thread-safety: one thread.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/streams.h"

namespace xplan::cmd {

struct TerminalSize {
  int width = 80, height = 24;
};
TerminalSize terminal_size();  // of standard output, as it is now

class LiveScreen {
 public:
  explicit LiveScreen(Streams& io) : io_(io) {}
  // `staying`: whole lines, printed above.
  void draw(const std::string& staying, std::vector<std::string> lines);
  void clear();

 private:
  Streams& io_;
  std::vector<std::string> shown_;
};

}  // namespace xplan::cmd
