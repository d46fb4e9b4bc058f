// The files of the program are in no library, so those under test are compiled here.
#include "cmd/xplan/interrupt.cc"
#include "cmd/xplan/hidden_typing.cc"

#include <pty.h>

#include <catch2/catch.hpp>
#include <set>
#include <utility>

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
