// Starts a plugin process, waits for its handshake line, reads its output in a thread, notices its end and
// kills its process group.
#include "core/provider/plugin/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "core/base/spawn.h"
#include "core/base/system_text.h"
#include "core/base/threads.h"

namespace xplan::plugin {
namespace {

constexpr size_t kMaxLine = 1 << 17;

std::string with_output(std::string text, const Output& output) {
  std::string last = output.last_lines();
  return last.empty() ? text : text + "\n\nIts last output:\n" + last;
}

}  // namespace

Result<std::unique_ptr<Process>> Process::start(const std::string& path,
                                                const std::vector<std::string>& environment,
                                                std::shared_ptr<Output> output, int timeout_seconds,
                                                const std::atomic<bool>* stop, std::function<bool()> hangs) {
  auto not_started = [&](const std::string& why) {
    return Error{fmt::format("The program {} was not started: {}.", path, why)};
  };
  Pipe out, err;
  if (!out.open() || !err.open())
    return not_started(fmt::format("failed to create pipes: {}", system_text(errno)));
  SpawnRequest r;
  r.arguments = {path.find('/') == path.npos ? "./" + path : path};
  r.environment = environment;
  r.in = 0, r.out = out.write, r.err = err.write;
  Result<pid_t> child = spawn(r);
  if (!child) return not_started("it cannot be executed: " + child.error().message);
  std::unique_ptr<Process> p(new Process(std::move(output), std::move(hangs)));
  p->child_ = *child;
  p->out_ = std::exchange(out.read, -1), p->err_ = std::exchange(err.read, -1);
  for (int fd : {p->out_, p->err_}) fcntl(fd, F_SETFL, O_NONBLOCK);
  p->watcher_ = std::thread([raw = p.get()] { raw->watch(); });
  Result<void> ready = p->handshake(timeout_seconds, stop);
  if (ready) return p;
  const bool had_ended = p->wait_for_end(0);
  p->kill();
  p->wait_for_end(5000);
  const std::string what = ready.error().message;
  return Error{
      with_output(fmt::format("The program {} was started, but {}.", path,
                              !had_ended     ? what
                              : what.empty() ? "it " + p->end_text() + " before it reported its address"
                                             : what + ", and it " + p->end_text()),
                  *p->output_)};
}

Result<void> Process::handshake(int timeout_seconds, const std::atomic<bool>* stop) {
  using Clock = std::chrono::steady_clock;
  std::string line;
  {
    const auto end = Clock::now() + std::chrono::seconds(timeout_seconds);
    std::unique_lock lock(mutex_);
    while (!has_line_ && !ended_ && Clock::now() < end) {
      if (stop && stop->load()) return Error{"the run was interrupted before it reported its address"};
      changed_.wait_for(lock, std::chrono::milliseconds(100));
    }
    if (!has_line_ && !ended_)
      return Error{fmt::format("it did not report its address within {} seconds", timeout_seconds)};
    if (!has_line_) return Error{""};  // how it ended says enough
    line = line_;
  }
  Result<Endpoint> e = parse_handshake(line);
  if (!e) {
    wait_for_end(200);  // a program that only prints something ends soon, and how may say why
    return e.error();
  }
  endpoint_ = std::move(*e);
  return {};
}

Process::~Process() {
  kill();
  if (watcher_.joinable()) watcher_.join();
}

bool Process::wait_for_end(int millis) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(millis), [&] { return ended_; });
}

void Process::kill() {
  std::lock_guard lock(mutex_);
  if (!ended_) ::kill(-child_, SIGKILL);  // not reaped yet, so the number is still its own
}

std::string Process::end_text() const {
  std::lock_guard lock(mutex_);
  if (!ended_) return "is still running";
  if (WIFSIGNALED(status_))
    return fmt::format("was terminated by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)));
  return fmt::format("exited with code {}", WEXITSTATUS(status_));
}

void Process::first_line(std::string_view& bytes) {
  size_t end = std::min(bytes.find('\n'), bytes.size());
  line_.append(bytes.substr(0, end));
  bool whole = end < bytes.size();
  bytes.remove_prefix(whole ? end + 1 : end);
  if (!whole && line_.size() <= kMaxLine) return;
  std::lock_guard lock(mutex_);
  has_line_ = true;
  changed_.notify_all();
}

bool Process::read_pipe(int& fd, Output::Stream s) {
  char buffer[16384];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return true;
    if (n <= 0) break;
    std::string_view bytes(buffer, static_cast<size_t>(n));
    if (s == Output::kStdout && !has_line_) first_line(bytes);
    if (!bytes.empty()) output_->add(s, bytes);
  }
  close(fd);
  fd = -1;
  return false;
}

void Process::watch() {
  take_no_signals();
  int pidfd = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
  int out = out_, err = err_;
  for (bool ended = false; !ended;) {
    pollfd fds[] = {{out, POLLIN, 0}, {err, POLLIN, 0}, {pidfd, POLLIN, 0}};
    poll(fds, 3, pidfd >= 0 ? 250 : 100);
    if (out >= 0 && fds[0].revents) read_pipe(out, Output::kStdout);
    if (err >= 0 && fds[1].revents) read_pipe(err, Output::kStderr);
    if (hangs_()) ::kill(-child_, SIGKILL);
    if (pidfd >= 0 && !fds[2].revents) continue;
    ended = has_ended(child_);
  }
  ::kill(-child_, SIGKILL);  // what it has started and not ended; it would hold the pipes

  if (out >= 0) read_pipe(out, Output::kStdout);
  if (err >= 0) read_pipe(err, Output::kStderr);
  for (int fd : {out, err, pidfd})
    if (fd >= 0) close(fd);
  output_->finish();
  std::lock_guard lock(mutex_);
  status_ = reap(child_, Rest::Killed);
  if (!line_.empty()) has_line_ = true;  // a line without an end is one too
  ended_ = true;
  changed_.notify_all();
}

Deadline::Deadline(Process& process, int millis) {
  thread_ = optional_thread([this, &process, millis] {
    take_no_signals();
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::milliseconds(millis), [this] { return over_; })) process.kill();
  });
  if (!thread_.joinable()) process.kill();  // nobody else would
}

Deadline::~Deadline() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace xplan::plugin
