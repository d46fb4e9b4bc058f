// Interrupts: what Ctrl-C and SIGTERM mean at the moment.
//
// Who calls it: main.cc begins to watch, operation.cc and console.cc say what the run is at, streams.cc and
// line_editor.cc that they wait for somebody to type, hidden_typing.cc that a signal is held back.
// Contract: while a run is at work, the first signal sets `stop` and says what that means; the second ends
// the process at once. While an AwaitInput lives, a signal only ends the waiting: whoever waits says what
// follows. Thread-safety: signals may reach any thread; an AwaitInput belongs to one, and there is one at a
// time.
#pragma once
#include <atomic>

namespace xplan::cmd {

void watch_interrupts(std::atomic<bool>& stop);
// What the run is at: something that can just stop, changes that are finished and saved, or nothing whose end
// would matter (the console: the first signal ends the process).
enum class RunPhase : unsigned char { Working, Changing, Trying };
void enter_phase(RunPhase phase);
// After work that was given up and that something else follows: the next signal is a first one again.
void forget_interrupt();

enum class Waited : unsigned char { Input, Interrupt, OtherSignal };

class AwaitInput {
 public:
  AwaitInput();
  ~AwaitInput();
  AwaitInput(const AwaitInput&) = delete;
  AwaitInput& operator=(const AwaitInput&) = delete;
  bool interrupted() const;
  Waited wait() const;  // for standard input or a signal
};
// Ends the waiting, the one that is under way or the next, as a signal that means nothing; for handlers of
// signals.
void wake_input();

}  // namespace xplan::cmd
