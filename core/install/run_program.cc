// Runs a program to its end and captures its output; when the run is stopped, terminates its process group,
// then kills it.
#include "core/install/run_program.h"

#include <signal.h>
#include <sys/wait.h>

#include "core/base/follow.h"
#include "core/base/spawn.h"
#include "core/base/terminal.h"
#include "core/net/redact.h"

namespace xplan::install {
namespace {

std::string last_lines(std::string s) {
  std::erase(s, '\r');  // from ssh
  while (s.ends_with('\n')) s.pop_back();
  return harmless_text(s.size() > 2000 ? "…" + s.substr(s.size() - 2000) : s);
}

}  // namespace

Result<Ran> run(const std::vector<std::string>& arguments, const ProgramEnvironment& environment,
                const std::atomic<bool>* stop) {
  Pipe pipe;
  if (!pipe.open()) return Error{"cannot run " + arguments[0] + ": failed to create a pipe"};
  SpawnRequest r;
  r.arguments = arguments;
  r.environment = environment_with(environment);
  r.out = r.err = pipe.write;
  Result<pid_t> child = spawn(r);
  if (!child) return Error{"cannot run " + arguments[0] + ": " + child.error().message};
  pipe.close_write();
  Ran out;
  follow(*child, pipe.read, {stop, SIGTERM, 1000}, [&](std::string_view piece) {
    if (out.output.size() < 65536) out.output.append(piece.substr(0, 65536 - out.output.size()));
  });
  const int status = reap(*child, Rest::Killed);
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

Result<void> run_to_success(const std::vector<std::string>& arguments, const ProgramEnvironment& environment,
                            const std::atomic<bool>* stop) {
  const Result<Ran> ran = run(arguments, environment, stop);
  if (!ran) return ran.error();
  if (ran->code == 0) return {};
  return Error{arguments[0] + " exited with code " + std::to_string(ran->code) + ":\n" +
               net::without_credentials(last_lines(ran->output)) + "\n"};
}

}  // namespace xplan::install
