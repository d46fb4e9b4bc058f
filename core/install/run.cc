// Runs a program to its end and captures its output; when the run is stopped, terminates its process group,
// then kills it.
#include "core/install/run.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "core/base/spawn.h"

namespace xplan::install {

using Clock = std::chrono::steady_clock;

Result<Ran> run(const std::vector<std::string>& arguments,
                const std::map<std::string, std::optional<std::string>>& environment,
                const std::atomic<bool>* stop) {
  Pipe pipe;
  if (!pipe.open()) return Error{"cannot run " + arguments[0] + ": no pipe can be made"};
  SpawnRequest r;
  r.arguments = arguments;
  r.environment = environment_with(environment);
  r.out = r.err = pipe.write;
  Result<pid_t> child = spawn(r);
  if (!child) return Error{"cannot run " + arguments[0] + ": " + child.error().message};
  pipe.close_write();
  Ran out;
  char buffer[4096];
  std::optional<Clock::time_point> told;
  for (bool killed = false;;) {
    pollfd ready{pipe.read, POLLIN, 0};
    const int n = ::poll(&ready, 1, 100);
    if (stop && stop->load() && !killed) {
      if (!told)
        told = Clock::now(), ::kill(-*child, SIGTERM);
      else if (Clock::now() - *told > std::chrono::seconds(1))
        killed = true, ::kill(-*child, SIGKILL);
    }
    if (n <= 0) continue;
    const ssize_t got = ::read(pipe.read, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (out.output.size() < 65536) out.output.append(buffer, static_cast<size_t>(got));
  }
  const int status = reap(*child, Rest::Killed);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

}  // namespace xplan::install
