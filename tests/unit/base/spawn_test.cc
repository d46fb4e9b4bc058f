// Starting programs: descriptors and environment they get, failed starts, PATH look-up, reaping a process
// group.
#include "core/base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

using namespace xplan;

namespace {

struct Done {
  std::string error, output;
  int status = -1;
};

Done run(SpawnRequest r) {
  Pipe pipe;
  REQUIRE(pipe.open());
  r.out = pipe.write;
  Result<pid_t> child = spawn(r);
  pipe.close_write();
  if (!child) return {child.error().message, {}, -1};
  Done out;
  char buffer[1000];
  for (ssize_t n; (n = ::read(pipe.read, buffer, sizeof buffer)) > 0;)
    out.output.append(buffer, static_cast<size_t>(n));
  out.status = reap(*child, Rest::Killed);
  return out;
}

}  // namespace

TEST_CASE("a program is started with what it is given and nothing else") {
  const int open = ::open("/dev/null", O_RDONLY);  // without close-on-exec
  Done d = run({{"sh", "-c", "echo \"$X\"; pwd; ls /proc/self/fd; ps -o pgid= -p $$ | tr -d ' '; echo $$"},
                environment_with({{"X", "a b"}, {"HOME", std::nullopt}}),
                "/usr"});
  ::close(open);
  CHECK(d.error.empty());
  CHECK(d.status == 0);
  CHECK(d.output.starts_with("a b\n/usr\n0\n1\n2\n3\n"));  // 3: the directory that ls reads
  const std::string tail = d.output.substr(d.output.find("\n3\n") + 3);
  CHECK(tail.substr(0, tail.find('\n')) + "\n" == tail.substr(tail.find('\n') + 1));
}

TEST_CASE("a start that fails says why, and leaves nothing") {
  struct Row {
    SpawnRequest request;
    std::string_view why;
  };
  const Row rows[] = {{{{"no-such-program"}, {}, ""}, "no such file or directory"},
                      {{{"/etc/passwd"}, {}, ""}, "permission denied"},
                      {{{"/etc"}, {}, ""}, "permission denied"},
                      {{{"sh", "-c", "exit 0"}, {}, "/no/such/directory"}, "no such file or directory"}};
  for (const Row& row : rows) CHECK(run(row.request).error == row.why);
  CHECK(::waitpid(-1, nullptr, WNOHANG) <= 0);
}

TEST_CASE("a program is not looked for in the present directory") {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "::.:bin", 1);
  char here[4096];
  REQUIRE(::getcwd(here, sizeof here));
  REQUIRE(::chdir("/usr/bin") == 0);
  CHECK(run({{"true"}, {}, ""}).error == "no such file or directory");
  REQUIRE(::chdir(here) == 0);
  ::setenv("PATH", before.c_str(), 1);
}

TEST_CASE("the end is told once, and what is left of the group ends with it") {
  CHECK(WEXITSTATUS(run({{"sh", "-c", "exit 7"}, {}, ""}).status) == 7);
  const Done d = run({{"/bin/sh", "-c", "/bin/sleep 1000 >/dev/null 2>&1 & echo $!; kill -9 $$"}, {}, ""});
  CHECK(WTERMSIG(d.status) == SIGKILL);
  const pid_t rest = std::atoi(d.output.c_str());
  REQUIRE(rest > 0);
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    std::string stat = "/proc/" + std::to_string(rest) + "/stat";
    std::FILE* f = std::fopen(stat.c_str(), "r");
    char state = 'Z';
    if (f && std::fscanf(f, "%*d %*s %c", &state) != 1) state = 'Z';
    if (f) std::fclose(f);
    gone = state == 'Z';
    ::usleep(10'000);
  }
  CHECK(gone);
}
