// The signal handler for SIGINT, SIGTERM and SIGHUP and the phases that decide what a signal does: stop
// gracefully, stop at once, or only end a prompt. The handler itself makes only async-signal-safe calls: the
// thread of a teller hears of it through a pipe.
#include "cmd/xplan/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "core/base/threads.h"

namespace xplan::cmd {
namespace {

std::atomic<bool>* g_stop = nullptr;
std::atomic<int> g_signals{0}, g_first{0};  // how many, and which came first
std::atomic<RunPhase> g_phase{RunPhase::Working};
std::atomic<bool> g_awaiting{false}, g_input_ended{false};
// Made once and never closed: a signal may be about to write into it whenever an AwaitInput goes.
int g_wake[2] = {-1, -1};
// The same for the teller. 'x' ends it.
int g_heard[2] = {-1, -1};
std::atomic<bool> g_telling{false};
constexpr int64_t kLongestTelling = 2;  // seconds, of the second signal
std::atomic<int64_t> g_second{0};       // when that came

int64_t seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Breaks lines before the 80th column; a handler of a signal cannot ask how wide the terminal is.
void say(std::string_view text) {
  constexpr size_t kWidth = 78;
  (void)!write(2, "\n", 1);
  while (!text.empty()) {
    const size_t space = text.size() <= kWidth ? std::string_view::npos : text.rfind(' ', kWidth);
    const std::string_view line = text.substr(0, space);
    (void)!write(2, line.data(), line.size());
    (void)!write(2, "\n", 1);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

std::string_view meaning(bool again) {
  const bool changing = g_phase == RunPhase::Changing;
  if (again)
    return changing ? "Stopped. Finished operations are recorded; the next run will pick them up."
                    : "Stopped.";
  // Other signals come from where nobody presses keys.
  if (g_first != SIGINT)
    return changing ? "Interrupt received. Finishing operations in progress, ending provisioners and saving "
                      "the state."
                    : "Interrupt received. Stopping.";
  return changing
             ? "Interrupt received. Finishing operations in progress, ending provisioners and saving the "
               "state. Press Ctrl-C again to stop immediately."
             : "Interrupt received. Stopping. Press Ctrl-C again to stop immediately.";
}

// Once: stop gracefully. Twice: at once; everything finished is in the journal, which the next run takes up.
// A terminal that goes away tells of it several times, and with other signals, so that is never the second.
void on_signal(int number) {
  const int saved = errno;
  if (g_awaiting) {
    g_input_ended = true;
    wake_input();
  } else if (g_phase == RunPhase::Trying) {
    signal(number, SIG_DFL);
    raise(number);
  } else {
    int before = 0;
    if (number != SIGHUP)
      before = g_signals.fetch_add(1);
    else if (!g_signals.compare_exchange_strong(before, 1))
      return void(errno = saved);
    if (before == 0) g_first = number;
    if (before == 0 && g_stop) g_stop->store(true);
    if (before == 1) g_second = seconds_now();
    if (before < 2 && g_telling) {
      (void)!write(g_heard[1], before == 0 ? "1" : "2", 1);
    } else if (before < 2 || !g_telling || seconds_now() - g_second > kLongestTelling) {
      say(before < 2 ? meaning(before > 0) : "Stopped.");
      if (before > 0) _exit(1);
    }
  }
  errno = saved;
}

}  // namespace

void watch_interrupts(std::atomic<bool>& stop) {
  g_stop = &stop;
  struct sigaction sa {};  // without SA_RESTART: whoever waits is to notice
  sa.sa_handler = on_signal;
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &sa, nullptr);
  struct sigaction hangup {};
  const bool ignored = sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN;  // nohup
  if (!ignored) sigaction(SIGHUP, &sa, nullptr);
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

InterruptTeller::InterruptTeller(Tell tell) : tell_(std::move(tell)) {
  static const bool made = pipe2(g_heard, O_CLOEXEC) == 0;
  // What a signal left there that came when the last teller went is not for this one.
  pollfd left{g_heard[0], POLLIN, 0};
  for (char c; made && poll(&left, 1, 0) > 0 && read(g_heard[0], &c, 1) == 1;) {
  }
  if (made) thread_ = optional_thread([this] { listen(); });
  g_telling = thread_.joinable();
}

InterruptTeller::~InterruptTeller() {
  if (!thread_.joinable()) return;
  g_telling = false;
  (void)!write(g_heard[1], "x", 1);
  thread_.join();
}

void InterruptTeller::listen() {
  char heard = 0;
  for (;;) {
    const ssize_t n = read(g_heard[0], &heard, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n != 1 || heard == 'x') return;
    tell_(meaning(heard == '2'), heard == '2');
    if (heard == '2') _exit(1);
  }
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
  while (signal && read(g_wake[0], buffer, sizeof buffer) > 0) {
  }
  return interrupted() ? Waited::Interrupt : signal ? Waited::OtherSignal : Waited::Input;
}

}  // namespace xplan::cmd
