// Runs a local-exec command: starts the process group, passes its output on line by line, interrupts and
// finally kills it when the run is stopped, and says how it ended.
#include "core/apply/local_exec.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "core/base/follow.h"
#include "core/base/fs.h"
#include "core/base/lines.h"
#include "core/base/spawn.h"
#include "core/base/system_text.h"

namespace xplan {
namespace {

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it was terminated by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("it exited with code {}", WEXITSTATUS(status));
}

}  // namespace

Result<void> run_command(const Command& c, const std::atomic<bool>* stop,
                         const std::function<void(std::string_view)>& line) {
  SpawnRequest request;
  request.arguments = c.interpreter;
  request.arguments.push_back(c.command);
  request.environment = environment_with({c.environment.begin(), c.environment.end()});
  request.directory = c.working_dir;
  Pipe out;
  if (!out.open()) return Error{fmt::format("failed to create a pipe: {}", system_text(errno))};
  request.out = request.err = out.write;
  Result<pid_t> child = spawn(request);
  out.close_write();
  if (!child)
    return Error{c.working_dir.empty() || real_fs().is_dir(c.working_dir)
                     ? fmt::format("the program \"{}\" failed to start: {}", request.arguments[0],
                                   child.error().message)
                     : fmt::format("its working directory \"{}\" does not exist", c.working_dir)};
  Lines lines(line);
  const bool interrupted =
      follow(*child, out.read, {stop, SIGINT, 5000}, [&](std::string_view piece) { lines.add(piece); });
  lines.finish();
  const int status = reap(*child, interrupted ? Rest::Killed : Rest::Stays);
  // What was told to stop may say that all is well; nobody knows how far it came.
  if (interrupted)
    return Error{status == 0
                     ? "the run was interrupted, and the command may have stopped before it was finished"
                     : how_it_ended(status) + " after the run was interrupted"};
  if (status != 0) return Error{how_it_ended(status)};
  return {};
}

}  // namespace xplan
