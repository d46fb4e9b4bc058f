// The signal handler for SIGINT and SIGTERM and the phases that decide what a signal does: stop gracefully,
// stop at once, or only end a prompt. The handler itself makes only async-signal-safe calls.
#include "cmd/xplan/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace xplan::cmd {
namespace {

std::atomic<bool>* g_stop = nullptr;
std::atomic<int> g_signals{0};
std::atomic<RunPhase> g_phase{RunPhase::Working};
std::atomic<bool> g_input_ended{false};
std::atomic<int> g_wake{-1};  // where a signal is passed on to while input is awaited

void say(std::string_view text) {
  (void)!write(2, text.data(), text.size());
}

// Once: stop gracefully. Twice: at once; everything finished is in the journal, which the next run takes up.
void on_signal(int number) {
  const int saved = errno;
  const bool changing = g_phase == RunPhase::Changing;
  if (const int wake = g_wake.load(); wake >= 0) {
    g_input_ended = true;
    (void)!write(wake, "", 1);
  } else if (g_phase == RunPhase::Trying) {
    signal(number, SIG_DFL);
    raise(number);
  } else if (g_signals.fetch_add(1) == 0) {
    if (g_stop) g_stop->store(true);
    say(changing ? "\nInterrupt received. Changes under way are finished and saved, provisioners are ended; "
                   "interrupt again to stop at once.\n"
                 : "\nInterrupt received. Stopping; interrupt again to stop at once.\n");
  } else {
    say(changing
            ? "\nStopped at once. Everything that was finished is recorded and taken up by the next run.\n"
            : "\nStopped at once.\n");
    _exit(1);
  }
  errno = saved;
}

}  // namespace

void watch_interrupts(std::atomic<bool>& stop) {
  g_stop = &stop;
  struct sigaction sa {};  // without SA_RESTART: whoever waits is to notice
  sa.sa_handler = on_signal;
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &sa, nullptr);
}

void enter_phase(RunPhase phase) {
  g_phase = phase;
}

AwaitInput::AwaitInput() {
  g_input_ended = false;
  if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) == 0) g_wake = pipe_[1];
}

AwaitInput::~AwaitInput() {
  g_wake = -1;
  for (int fd : pipe_)
    if (fd >= 0) close(fd);
}

bool AwaitInput::interrupted() const {
  return g_input_ended;
}

Waited AwaitInput::wait() const {
  pollfd both[] = {{0, POLLIN, 0}, {pipe_[0], POLLIN, 0}};
  const int ready = poll(both, pipe_[0] >= 0 ? 2 : 1, -1);
  return interrupted()                 ? Waited::Interrupt
         : ready < 0 && errno == EINTR ? Waited::OtherSignal
                                       : Waited::Input;
}

}  // namespace xplan::cmd
