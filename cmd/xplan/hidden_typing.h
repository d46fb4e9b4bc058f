// HiddenTyping: while one lives, the terminal does not show what is typed.
//
// Who calls it: streams.cc, for secrets.
// Contract: the terminal is as before when it is gone, also when the process is stopped or ended by a signal
// meanwhile (Ctrl-Z, Ctrl-\, the terminal's own end): these are held back until pass_on(), which puts the
// terminal in order and lets them act. Without a terminal it does nothing.  Thread-safety: one at a time.
#pragma once
#include <signal.h>
#include <termios.h>

#include <array>

namespace xplan::cmd {

class HiddenTyping {
 public:
  HiddenTyping();
  ~HiddenTyping();
  HiddenTyping(const HiddenTyping&) = delete;
  HiddenTyping& operator=(const HiddenTyping&) = delete;
  void pass_on();  // after a wait that a signal may have ended

 private:
  static constexpr std::array kSignals{SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
  void hide();
  void show();
  bool terminal_ = false;
  termios before_{};
  std::array<struct sigaction, kSignals.size()> handlers_{};
};

}  // namespace xplan::cmd
