// The files of the program are in no library, so those under test are compiled here.
#include "cmd/xplan/interrupt.cc"
#include "cmd/xplan/hidden_typing.cc"

#include <pty.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace xplan::cmd;

namespace {

// A terminal as standard input, with a line typed already: a wait that overlooks a signal sees that.
struct TypedLine {
  TypedLine() : before(::dup(0)) {
    int slave;
    REQUIRE(::openpty(&master, &slave, nullptr, nullptr, nullptr) == 0);
    REQUIRE(::dup2(slave, 0) == 0);
    ::close(slave);
    REQUIRE(::write(master, "line\n", 5) == 5);
  }
  ~TypedLine() { ::dup2(before, 0), ::close(before), ::close(master); }
  int before, master = -1;
};

std::atomic<int> g_got{0};

// What a teller was told, in order.
struct Told {
  void operator()(std::string_view text, bool again) {
    std::lock_guard guard(lock);
    all.push_back(std::string(text) + (again ? " (again)" : ""));
    ++count;
  }
  void wait(int n) const {
    while (count < n) ::usleep(1000);
  }
  std::mutex lock;
  std::vector<std::string> all;
  std::atomic<int> count{0};
};

// How a process ends that does this; 128 + the signal where one ended it.
int exit_code_of(const std::function<void()>& f) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60);
    f();
    ::_exit(77);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("interrupts: one that comes before the wait ends it, and no descriptor is opened for each wait") {
  TypedLine typed;
  std::atomic<bool> stop{false};
  watch_interrupts(stop);
  { AwaitInput first; }
  const int next = ::dup(0);
  ::close(next);
  for (int i = 0; i < 3; ++i) {
    AwaitInput input;
    const int now = ::dup(0);
    ::close(now);
    CHECK(now == next);
    ::raise(SIGINT);
    CHECK(input.wait() == Waited::Interrupt);
  }
  AwaitInput input;
  CHECK_FALSE(input.interrupted());
  CHECK(input.wait() == Waited::Input);
  CHECK_FALSE(stop);
}

TEST_CASE("hidden typing: a signal that is held back before the wait ends it, and is passed on") {
  TypedLine typed;
  ::signal(SIGQUIT, [](int n) { g_got = n; });
  {
    AwaitInput input;
    HiddenTyping hidden;
    ::raise(SIGQUIT);
    CHECK(g_got == 0);
    CHECK(input.wait() == Waited::OtherSignal);
    hidden.pass_on();
    CHECK(g_got.exchange(0) == SIGQUIT);
    CHECK(input.wait() == Waited::Input);
    ::raise(SIGQUIT);
  }
  CHECK(g_got == SIGQUIT);
  ::signal(SIGQUIT, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("interrupt teller: tells of the first signal, once, what it means at the moment") {
  std::atomic<bool> stop{false};
  watch_interrupts(stop);
  for (auto [phase, says] : {std::pair(RunPhase::Working, "Interrupt received. Stopping."),
                             {RunPhase::Changing, "Interrupt received. Finishing operations in progress"}}) {
    enter_phase(phase);
    Told told;
    {
      InterruptTeller teller([&](std::string_view text, bool again) { told(text, again); });
      CHECK_FALSE(stop);
      ::raise(SIGTERM);
      CHECK(stop);
      told.wait(1);
    }
    REQUIRE(told.all.size() == 1);
    CHECK(told.all[0].starts_with(says));
    CHECK(told.all[0].find("Press") == std::string::npos);  // nobody has pressed a key
    CHECK(told.all[0].find("(again)") == std::string::npos);
    forget_interrupt();
    CHECK_FALSE(stop);
    // The next one knows nothing of it.
    Told nothing;
    {
      InterruptTeller teller([&](std::string_view text, bool again) { nothing(text, again); });
    }
    CHECK(nothing.all.empty());
  }
  enter_phase(RunPhase::Working);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("interrupts: the end of the terminal stops a run gracefully, however often it is told of") {
  for (bool ignored : {false, true}) {
    INFO(ignored);
    CHECK(exit_code_of([&] {
            ::signal(SIGHUP, ignored ? SIG_IGN : SIG_DFL);
            std::atomic<bool> stop{false};
            watch_interrupts(stop);
            for (int i = 0; i < 3; ++i) ::raise(SIGHUP);
            if (stop == ignored) ::_exit(78);
            ::raise(SIGTERM);
            if (ignored && stop) ::_exit(77);
            ::_exit(79);
          }) == (ignored ? 77 : 1));
  }
}

TEST_CASE("interrupt teller: the second signal ends the process when it was told, a third after a while") {
  std::atomic<bool> stop{false};
  const auto signal_with = [&](bool stuck) {
    return exit_code_of([&] {
      watch_interrupts(stop);
      std::atomic<bool> first{false}, second{false};
      InterruptTeller teller([&](std::string_view text, bool again) {
        if (again && !text.starts_with("Stopped.")) ::_exit(78);
        (again ? second : first) = true;
        while (again && stuck) ::usleep(1000);
      });
      ::raise(SIGINT);
      while (!first) ::usleep(1000);
      ::raise(SIGINT);
      while (!second) ::usleep(1000);
      for (int i = 0; i < 1000; ++i) ::raise(SIGINT), ::usleep(10'000);  // a key that is held
    });
  };
  CHECK(signal_with(false) == 1);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(signal_with(true) == 1);
  const auto took = std::chrono::steady_clock::now() - begin;
  CHECK(took > std::chrono::seconds(2));
  CHECK(took < std::chrono::seconds(9));
}
