// Starts programs with fork and exec: descriptors, signals, process group, environment and working
// directory; finding a program on PATH; waiting for the end and killing what is left of the group.
#include "core/base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/child_guard.h"
#include "core/base/descriptors.h"
#include "core/base/system_text.h"

extern char** environ;

namespace xplan {
namespace {

// What the child needs, made before the fork: it may not ask for memory any more.
struct Prepared {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* directory;  // null: the present one
  int in, out, err, failure, guard;
};

// What a signal does to us is not what it does to the child: until the child has said so, signals wait.
pid_t fork_without_signals() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid != 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

// The first that a child does. From here on only calls that are safe in a copy of a process with threads.
void begin_child(int guard) {
  setpgid(0, 0);
  guard_order(guard, GuardOrder::Watch, getpid());
  for (int s = 1; s < NSIG; ++s)
    if (s != SIGKILL && s != SIGSTOP) signal(s, s == SIGTTIN || s == SIGTTOU ? SIG_IGN : SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void run_child(const Prepared& p) {
  begin_child(p.guard);
  const int in = p.in >= 0 ? p.in : open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool placed = (in == 0 || dup2(in, 0) == 0) && (p.out == 1 || dup2(p.out, 1) == 1) &&
                      (p.err == 2 || dup2(p.err, 2) == 2) && close_from(3, Close::OnExec);
  if (placed && (!p.directory || chdir(p.directory) == 0)) execve(p.program, p.arguments, p.environment);
  const int e = errno;
  [[maybe_unused]] ssize_t n = write(p.failure, &e, sizeof e);
  _exit(127);
}

// Directories of PATH that depend on where one is are left out: what lies there is nobody's choice.
Result<std::string> find_program(const std::string& name) {
  if (name.find('/') != name.npos) return name;
  const char* path = std::getenv("PATH");
  int why = ENOENT;
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const std::string_view dir = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), dir.size() + 1));
    if (!dir.starts_with('/')) continue;
    std::string candidate = std::string(dir) + "/" + name;
    struct stat st;
    if (::stat(candidate.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) continue;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    why = EACCES;
  }
  return Error{system_text(why)};
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

bool Pipe::open() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  read = fds[0], write = fds[1];
  return true;
}
void Pipe::close_read() {
  if (read >= 0) ::close(std::exchange(read, -1));
}
void Pipe::close_write() {
  if (write >= 0) ::close(std::exchange(write, -1));
}

Result<pid_t> spawn(const SpawnRequest& r) {
  Result<std::string> program = find_program(r.arguments.at(0));
  if (!program) return program.error();
  const std::vector<char*> arguments = pointers(r.arguments), environment = pointers(r.environment);
  Pipe failure;
  if (!failure.open()) return Error{system_text(errno)};
  const Prepared p{program->c_str(),
                   arguments.data(),
                   environment.data(),
                   r.directory.empty() ? nullptr : r.directory.c_str(),
                   r.in,
                   r.out,
                   r.err,
                   failure.write,
                   guard_channel()};
  const pid_t pid = fork_without_signals();
  if (pid < 0) return Error{system_text(errno)};
  if (pid == 0) run_child(p);
  setpgid(pid, pid);  // whoever of the two is first
  failure.close_write();
  int e = 0;
  ssize_t n;
  do n = ::read(failure.read, &e, sizeof e);
  while (n < 0 && errno == EINTR);
  if (n != sizeof e) return pid;
  reap(pid, Rest::Stays);
  return Error{system_text(e)};
}

pid_t fork_worker(Pipe& pipe, void (*work)(int to, void* data), void* data) {
  const int guard = guard_channel();
  if (guard < 0 || !pipe.open()) return -1;
  const pid_t pid = fork_without_signals();
  if (pid == 0) {
    begin_child(guard);
    keep_only(
        pipe.write);  // the guard's channel goes, too: only we keep it open, so that it hears of our end
    work(3, data);
    _exit(0);
  }
  pipe.close_write();
  if (pid > 0) setpgid(pid, pid);  // whoever of the two is first
  return pid;
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | WNOHANG) != 0 ||
         info.si_pid == child;
}

int reap(pid_t child, Rest rest) {
  siginfo_t info;
  // Not freed yet, so the number is still that of its group and of nobody else.
  while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  if (rest == Rest::Killed) kill(-child, SIGKILL);
  guard_order(guard_channel(), GuardOrder::Release, child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::vector<std::string> environment_with(const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> out;
  for (char** e = environ; *e; ++e) {
    const std::string_view s = *e;
    if (!changes.count(std::string(s.substr(0, s.find('='))))) out.emplace_back(s);
  }
  for (const auto& [name, value] : changes)
    if (value) out.push_back(name + "=" + *value);
  return out;
}

}  // namespace xplan
