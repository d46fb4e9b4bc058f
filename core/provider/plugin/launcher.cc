#include "core/provider/plugin/launcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace xplan::plugin {
namespace {

#ifndef CLOSE_RANGE_CLOEXEC
constexpr unsigned kCloseOnExec = 4;
#else
constexpr unsigned kCloseOnExec = CLOSE_RANGE_CLOEXEC;
#endif

struct Pipe {
  int read = -1, write = -1;
  ~Pipe() { close_both(); }
  bool open() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return false;
    read = fds[0], write = fds[1];
    return true;
  }
  static void shut(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  void close_both() { shut(read), shut(write); }
};

// Between fork and exec: only calls that are safe in a copy of a process with threads.
[[noreturn]] void run_child(const char* path, char* const* environment, int out, int err, int failure,
                            pid_t parent) {
  auto give_up = [&]() {
    int e = errno;
    [[maybe_unused]] ssize_t n = write(failure, &e, sizeof e);
    _exit(127);
  };
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
  if (getppid() != parent) _exit(127);  // it died before the line above
  for (int s = 1; s < NSIG; ++s)
    if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(out, 1) < 0 || dup2(err, 2) < 0) give_up();
  syscall(SYS_close_range, 3u, ~0u, kCloseOnExec);
  char* const argv[] = {const_cast<char*>(path), nullptr};
  execve(path, argv, environment);
  give_up();
  _exit(127);
}

Result<Child> fork_child(const std::string& path, const std::vector<std::string>& environment) {
  std::vector<char*> env;
  for (const std::string& e : environment) env.push_back(const_cast<char*>(e.c_str()));
  env.push_back(nullptr);
  Pipe out, err, failure;
  if (!out.open() || !err.open() || !failure.open())
    return Error{fmt::format("no pipes can be made: {}", strerror(errno))};
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return Error{fmt::format("no process can be made: {}", strerror(errno))};
  if (pid == 0) run_child(path.c_str(), env.data(), out.write, err.write, failure.write, parent);
  Pipe::shut(failure.write);
  int e = 0;
  ssize_t n;
  do n = read(failure.read, &e, sizeof e);
  while (n < 0 && errno == EINTR);
  if (n == sizeof e) {
    waitpid(pid, nullptr, 0);
    return Error{fmt::format("it cannot be executed: {}", strerror(e))};
  }
  Child c{pid, out.read, err.read};
  out.read = err.read = -1;
  fcntl(c.out, F_SETFL, O_NONBLOCK);
  fcntl(c.err, F_SETFL, O_NONBLOCK);
  return c;
}

struct Job {
  const std::string& path;
  const std::vector<std::string>& environment;
  Result<Child> result = Error{};
  bool done = false;
};

class Launcher {
 public:
  Result<Child> run(const std::string& path, const std::vector<std::string>& environment) {
    Job job{path, environment};
    std::unique_lock lock(mutex_);
    if (!started_) {
      started_ = true;
      std::thread([this] { loop(); }).detach();
    }
    jobs_.push_back(&job);
    changed_.notify_all();
    changed_.wait(lock, [&] { return job.done; });
    return std::move(job.result);
  }

 private:
  void loop() {
    sigset_t all;  // signals are for the threads that expect them
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !jobs_.empty(); });
      Job* job = jobs_.front();
      jobs_.pop_front();
      lock.unlock();
      Result<Child> r = fork_child(job->path, job->environment);
      lock.lock();
      job->result = std::move(r);
      job->done = true;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job*> jobs_;
  bool started_ = false;
};

}  // namespace

Result<Child> launch(const std::string& path, const std::vector<std::string>& environment) {
  static Launcher* one = new Launcher;  // never destroyed: its thread must not end before the process
  return one->run(path, environment);
}

}  // namespace xplan::plugin
