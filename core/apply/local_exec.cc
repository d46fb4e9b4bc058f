#include "core/apply/local_exec.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace xplan {
namespace {

std::vector<std::string> environment_of(const Command& c) {
  std::map<std::string, std::string> all;
  for (char** e = environ; *e; ++e) {
    std::string_view s = *e;
    size_t eq = s.find('=');
    if (eq != std::string_view::npos) all[std::string(s.substr(0, eq))] = s.substr(eq + 1);
  }
  for (const auto& [k, v] : c.environment) all[k] = v;
  std::vector<std::string> out;
  for (const auto& [k, v] : all) out.push_back(k + "=" + v);
  return out;
}

// Hands complete lines on; keeps the rest.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& f) : f_(f) {}
  void add(std::string_view s) {
    rest_ += s;
    size_t start = 0, end;
    while ((end = rest_.find('\n', start)) != std::string::npos) {
      f_(std::string_view(rest_).substr(start, end - start));
      start = end + 1;
    }
    rest_.erase(0, start);
    if (rest_.size() > (1u << 20)) finish();  // an endless line must not eat the memory
  }
  void finish() {
    if (!rest_.empty()) f_(rest_);
    rest_.clear();
  }

 private:
  const std::function<void(std::string_view)>& f_;
  std::string rest_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("it ended with exit status {}", WEXITSTATUS(status));
}

}  // namespace

Result<void> run_command(const Command& c, const std::atomic<bool>* stop,
                         const std::function<void(std::string_view)>& line) {
  std::vector<std::string> args = c.interpreter, env = environment_of(c);
  args.push_back(c.command);
  std::vector<char*> argv, envp;
  for (auto& a : args) argv.push_back(a.data());
  for (auto& e : env) envp.push_back(e.data());
  argv.push_back(nullptr), envp.push_back(nullptr);
  int out[2], report[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return Error{fmt::format("no pipe could be made: {}", std::strerror(errno))};
  if (pipe2(report, O_CLOEXEC) != 0) {
    close(out[0]), close(out[1]);
    return Error{fmt::format("no pipe could be made: {}", std::strerror(errno))};
  }
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // also when this program is killed
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0), dup2(out[1], 1), dup2(out[1], 2);
    struct sigaction sa {};
    sa.sa_handler = SIG_DFL;
    for (int s : {SIGINT, SIGTERM, SIGPIPE}) sigaction(s, &sa, nullptr);
    if (!c.working_dir.empty() && chdir(c.working_dir.c_str()) != 0) {
      int e = errno;
      (void)!write(report[1], &e, sizeof e);
      _exit(127);
    }
    execvpe(argv[0], argv.data(), envp.data());
    int e = errno;
    (void)!write(report[1], &e, sizeof e);
    _exit(127);
  }
  close(out[1]), close(report[1]);
  if (pid < 0) {
    close(out[0]), close(report[0]);
    return Error{fmt::format("no process could be made: {}", std::strerror(errno))};
  }
  setpgid(pid, pid);
  int failure = 0;
  bool not_started = read(report[0], &failure, sizeof failure) == static_cast<ssize_t>(sizeof failure);
  close(report[0]);
  Lines lines(line);
  bool interrupted = false, killed = false;
  auto interrupted_at = std::chrono::steady_clock::now();
  int status = 0;
  bool ended = false, open_pipe = true;
  while (!ended || open_pipe) {
    pollfd p{out[0], POLLIN, 0};
    int ready = open_pipe ? poll(&p, 1, 100) : (usleep(10000), 0);
    if (ready > 0) {
      char buffer[65536];
      ssize_t n = read(out[0], buffer, sizeof buffer);
      if (n > 0)
        lines.add({buffer, static_cast<size_t>(n)});
      else if (n == 0 || errno != EINTR)
        open_pipe = false;
    } else if (ended) {
      break;  // the command is over; what it left in the background may keep the pipe open
    }
    if (!ended && waitpid(pid, &status, WNOHANG) == pid) ended = true;
    if (stop && stop->load() && !ended) {
      auto now = std::chrono::steady_clock::now();
      if (!interrupted) {
        kill(-pid, SIGINT);
        interrupted = true, interrupted_at = now;
      } else if (!killed && now - interrupted_at > std::chrono::seconds(5)) {
        kill(-pid, SIGKILL);
        killed = true;
      }
    }
  }
  lines.finish();
  close(out[0]);
  if (not_started)
    return Error{c.working_dir.empty()
                     ? fmt::format("\"{}\" could not be started: {}", args[0], std::strerror(failure))
                     : fmt::format("\"{}\" could not be started in \"{}\": {}", args[0], c.working_dir,
                                   std::strerror(failure))};
  if (status != 0) return Error{how_it_ended(status) + (interrupted ? " after the run was interrupted" : "")};
  return {};
}

}  // namespace xplan
