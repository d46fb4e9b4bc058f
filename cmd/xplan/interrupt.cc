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
std::atomic<bool> g_awaiting{false}, g_input_ended{false};
// Made once and never closed: a signal may be about to write into it whenever an AwaitInput goes.
int g_wake[2] = {-1, -1};

void say(std::string_view text) {
  (void)!write(2, text.data(), text.size());
}

// Once: stop gracefully. Twice: at once; everything finished is in the journal, which the next run takes up.
void on_signal(int number) {
  const int saved = errno;
  const bool changing = g_phase == RunPhase::Changing;
  if (g_awaiting) {
    g_input_ended = true;
    wake_input();
  } else if (g_phase == RunPhase::Trying) {
    signal(number, SIG_DFL);
    raise(number);
  } else if (g_signals.fetch_add(1) == 0) {
    if (g_stop) g_stop->store(true);
    say(changing ? "\nInterrupt received. Finishing operations in progress, ending provisioners and saving "
                   "the state. Press Ctrl-C again to stop immediately.\n"
                 : "\nInterrupt received. Stopping. Press Ctrl-C again to stop immediately.\n");
  } else {
    say(changing ? "\nStopped. Finished operations are recorded; the next run will pick them up.\n"
                 : "\nStopped.\n");
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

void forget_interrupt() {
  g_signals = 0;
  if (g_stop) g_stop->store(false);
}

void wake_input() {
  (void)!write(g_wake[1], "", 1);
}

AwaitInput::AwaitInput() {
  static const bool made = pipe2(g_wake, O_CLOEXEC | O_NONBLOCK) == 0;
  g_input_ended = false;
  g_awaiting = made;
}

AwaitInput::~AwaitInput() {
  g_awaiting = false;
}

bool AwaitInput::interrupted() const {
  return g_input_ended;
}

// What is left in the pipe from a time when nobody waited looks like a signal that means nothing.
Waited AwaitInput::wait() const {
  pollfd both[] = {{0, POLLIN, 0}, {g_wake[0], POLLIN, 0}};
  const int ready = poll(both, g_wake[0] >= 0 ? 2 : 1, -1);
  const bool signal = (ready < 0 && errno == EINTR) || (ready > 0 && both[1].revents);
  char buffer[64];
  while (both[1].revents && read(g_wake[0], buffer, sizeof buffer) > 0) {
  }
  return interrupted() ? Waited::Interrupt : signal ? Waited::OtherSignal : Waited::Input;
}

}  // namespace xplan::cmd
