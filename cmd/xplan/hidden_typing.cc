// Turns off the terminal's echo and holds back the signals that would stop or end the process meanwhile, so
// that the terminal is always restored. Uses a global for the signal that arrived: one at a time.
#include "cmd/xplan/hidden_typing.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "cmd/xplan/interrupt.h"

namespace xplan::cmd {
namespace {

std::atomic<int> g_held{0};  // the signal that came

}  // namespace

HiddenTyping::HiddenTyping() {
  hide();
}

HiddenTyping::~HiddenTyping() {
  if (!terminal_) return;
  show();
  if (const int held = g_held.exchange(0)) raise(held);
}

void HiddenTyping::hide() {
  terminal_ = tcgetattr(0, &before_) == 0;
  if (!terminal_) return;
  struct sigaction hold {};
  hold.sa_handler = [](int signal) {
    const int saved = errno;
    g_held = signal;
    wake_input();  // it may come before anybody waits, or to another thread
    errno = saved;
  };
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &hold, &handlers_[i]);
  termios quiet = before_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHOE | ECHOK);
  quiet.c_lflag |= ECHONL;  // the end of the line is not secret
  tcsetattr(0, TCSADRAIN, &quiet);
}

void HiddenTyping::show() {
  tcsetattr(0, TCSADRAIN, &before_);
  for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &handlers_[i], nullptr);
}

void HiddenTyping::pass_on() {
  const int held = g_held.exchange(0);
  if (!terminal_ || !held) return;
  show();
  raise(held);  // may stop here for a while, or for good
  hide();
}

}  // namespace xplan::cmd
