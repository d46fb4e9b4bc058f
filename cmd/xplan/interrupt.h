// Interrupts: what Ctrl-C, SIGTERM and the end of the terminal (SIGHUP, unless that was ignored from the
// start) mean at the moment.
//
// Who calls it: main.cc begins to watch, operation.cc and console.cc say what the run is at, streams.cc and
// line_editor.cc that they wait for somebody to type, hidden_typing.cc that a signal is held back.
// Contract: while a run is at work, the first signal sets `stop` and says what that means; the second, if it
// is not SIGHUP, ends the process immediately. A handler can only write a fixed sentence to standard error;
// while an InterruptTeller lives, a thread of its own tells it instead, and may take locks and keep what
// would be lost. It can be stuck there, so a third signal that comes two seconds later, or after that, does
// not wait for it; who presses a key several times means what the second one does. While an AwaitInput lives,
// a signal only ends the waiting: whoever waits says what follows. Thread-safety: signals may reach any
// thread; of tellers and of AwaitInputs there is one at a time.
#pragma once
#include <atomic>
#include <functional>
#include <string_view>
#include <thread>

namespace xplan::cmd {

void watch_interrupts(std::atomic<bool>& stop);
// What the run is at: something that can just stop, changes that are finished and saved, or nothing whose end
// would matter (the console: the first signal ends the process).
enum class RunPhase : unsigned char { Working, Changing, Trying };
void enter_phase(RunPhase phase);
// After work that was given up and that something else follows: the next signal is a first one again.
void forget_interrupt();

class InterruptTeller {
 public:
  // `again`: the second signal; the process ends when `tell` returns.
  using Tell = std::function<void(std::string_view text, bool again)>;
  explicit InterruptTeller(Tell tell);
  ~InterruptTeller();
  InterruptTeller(const InterruptTeller&) = delete;
  InterruptTeller& operator=(const InterruptTeller&) = delete;

 private:
  void listen();
  Tell tell_;
  std::thread thread_;
};

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
