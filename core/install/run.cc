#include "core/install/run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace xplan::install {

Result<Ran> run(const std::vector<std::string>& arguments,
                const std::vector<std::pair<std::string, std::string>>& environment,
                const std::atomic<bool>* stop) {
  std::vector<std::string> variables;
  for (char** e = environ; *e; ++e) {
    std::string_view s = *e;
    bool replaced = false;
    for (const auto& [name, value] : environment) replaced |= s.starts_with(name + "=");
    if (!replaced) variables.emplace_back(s);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  for (const std::string& v : variables) envp.push_back(const_cast<char*>(v.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  int pipe_fds[2];
  if (::pipe2(pipe_fds, O_CLOEXEC) != 0)
    return Error{std::string("cannot make a pipe: ") + std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 2);
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_fds[1]);
  if (failed != 0) {
    ::close(pipe_fds[0]);
    return Error{"cannot run " + arguments[0] + ": " + std::strerror(failed)};
  }
  Ran out;
  char buffer[4096];
  for (bool told = false;;) {
    pollfd ready{pipe_fds[0], POLLIN, 0};
    if (::poll(&ready, 1, 100) <= 0) {
      if (stop && stop->load() && !told) told = ::kill(pid, SIGTERM) == 0;
      continue;
    }
    const ssize_t n = ::read(pipe_fds[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    if (out.output.size() < 65536) out.output.append(buffer, static_cast<size_t>(n));
  }
  ::close(pipe_fds[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

}  // namespace xplan::install
