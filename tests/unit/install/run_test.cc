// Running git and the like: exit codes, output up to a limit, and what a program leaves behind.
#include "core/install/run_program.h"

#include <signal.h>

#include <catch2/catch.hpp>
#include <cstdlib>

using namespace xplan;

TEST_CASE(
    "run: what a program leaves in a session of its own is not waited for, though it holds the output") {
  const Result<install::Ran> ran = install::run({"sh", "-c", "setsid sleep 60 & echo $!; exit 3"}, {});
  REQUIRE(ran);
  CHECK(ran->code == 3);
  const pid_t left = std::atoi(ran->output.c_str());
  REQUIRE(left > 1);
  CHECK(::kill(left, SIGKILL) == 0);  // it is still there
}

TEST_CASE("run: output is caught up to a limit, and read to its end") {
  const Result<install::Ran> ran = install::run({"sh", "-c", "head -c 300000 /dev/zero; exit 0"}, {});
  REQUIRE(ran);
  CHECK(ran->code == 0);
  CHECK(ran->output.size() == 65536);
}
