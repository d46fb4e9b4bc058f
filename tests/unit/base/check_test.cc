// Broken contracts end the program, and say where.
#include "core/base/check.h"

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

namespace {

// Fails in a child; what that wrote, and the signal that ended it.
std::string fail(int& signal_number) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    const int two = 2;
    XPLAN_CHECK(two == 3);
    _exit(0);
  }
  close(ends[1]);
  std::string out;
  char buffer[256];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return out;
}

}  // namespace

TEST_CASE("check: a broken contract ends the program and names its place") {
  XPLAN_CHECK(1 + 1 == 2);
  int signal_number = 0;
  const std::string said = fail(signal_number);
  CHECK(signal_number == SIGABRT);
  CHECK(said.find("\"two == 3\" does not hold (check_test.cc:") != std::string::npos);
}
