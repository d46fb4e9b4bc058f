// Following a program: its output, interruption and grace, and what it leaves in the background.
#include "core/base/follow.h"

#include <signal.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/base/spawn.h"

using namespace xplan;

namespace {

struct Followed {
  std::string output;
  bool interrupted = false;
  int status = -1;
};

// Interrupted as soon as it says something, where there is a grace.
Followed follow(const char* script, std::optional<int> grace_millis = {}) {
  std::atomic<bool> stop{false};
  const Interruption by{&stop, SIGTERM, grace_millis.value_or(0)};
  Pipe pipe;
  REQUIRE(pipe.open());
  SpawnRequest r;
  r.arguments = {"sh", "-c", script};
  r.environment = environment_with({});
  r.out = pipe.write;
  Result<pid_t> child = spawn(r);
  REQUIRE(child);
  pipe.close_write();
  Followed out;
  out.interrupted = follow(*child, pipe.read, by, [&](std::string_view s) {
    out.output += s;
    stop = grace_millis.has_value();
  });
  out.status = reap(*child, Rest::Killed);
  return out;
}

}  // namespace

TEST_CASE("follow: all of the output, and what stays in the background is not waited for") {
  Followed f = follow("echo a; setsid sleep 60 & echo $!; echo b; exit 7");
  CHECK_FALSE(f.interrupted);
  CHECK(WEXITSTATUS(f.status) == 7);
  CHECK(f.output.starts_with("a\n"));
  CHECK(f.output.ends_with("\nb\n"));
  CHECK(::kill(std::atoi(f.output.c_str() + 2), SIGKILL) == 0);
  f = follow("exec >&- 2>&-; exit 2");
  CHECK(WEXITSTATUS(f.status) == 2);
}

TEST_CASE("follow: who does not end when asked is killed, whoever holds the output") {
  Followed f = follow("trap '' TERM; setsid sleep 60 & echo $!; while :; do sleep 60; done", 1);
  CHECK(f.interrupted);
  CHECK(WTERMSIG(f.status) == SIGKILL);
  CHECK(::kill(std::atoi(f.output.c_str()), SIGKILL) == 0);
  f = follow("trap 'exit 4' TERM; echo; while :; do sleep 0.1; done", 60000);
  CHECK(f.interrupted);
  CHECK(WEXITSTATUS(f.status) == 4);
}
