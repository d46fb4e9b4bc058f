// Runs an external program: feeds it its input, reads its answer and its complaints at the same time, and
// watches the clock.
#include "core/crypt/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/document.h"
#include "core/base/spawn.h"
#include "core/base/terminal.h"
#include "core/base/text.h"

namespace xplan::crypt {
namespace {

using Clock = std::chrono::steady_clock;

// A program that does not read its input is no reason to end: writing fails, and its answer may be fine.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    const timespec none{};
    while (sigtimedwait(&pipe_, nullptr, &none) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
};

// One run: what was sent and received so far.
class Talk {
 public:
  Talk(const Program& p, std::string_view input) : p_(p), left_(input) {}
  ~Talk() { wipe(answer_); }
  Result<void> start();
  // Empty: it ended, or the problem that made us end it.
  std::string follow();
  Result<Secret> outcome(const std::string& problem);

 private:
  void send();
  bool receive(Pipe& from, std::string& to, uint64_t most);  // false: more than that
  std::string header_problem() const;

  const Program& p_;
  std::string_view left_;
  std::string answer_, complaints_;
  Pipe in_, out_, err_;
  pid_t child_ = -1;
};

Result<void> Talk::start() {
  if (!in_.open() || !out_.open() || !err_.open())
    return Error{fmt::format("failed to create a pipe: {}", std::strerror(errno))};
  SpawnRequest r;
  r.arguments = p_.command;
  r.environment = environment_with({});
  r.in = in_.read, r.out = out_.write, r.err = err_.write;
  const Result<pid_t> child = spawn(r);
  if (!child) return Error{fmt::format("\"{}\" failed to start: {}", p_.command[0], child.error().message)};
  child_ = *child;
  in_.close_read(), out_.close_write(), err_.close_write();
  ::fcntl(in_.write, F_SETFL, O_NONBLOCK);
  if (left_.empty()) in_.close_write();
  return {};
}

void Talk::send() {
  const ssize_t n = ::write(in_.write, left_.data(), left_.size());
  if (n > 0) left_.remove_prefix(static_cast<size_t>(n));
  if (left_.empty() || (n < 0 && errno != EINTR && errno != EAGAIN)) in_.close_write();
}

bool Talk::receive(Pipe& from, std::string& to, uint64_t most) {
  char buffer[65536];
  const ssize_t n = ::read(from.read, buffer, sizeof buffer);
  if (n == 0 || (n < 0 && errno != EINTR)) from.close_read();
  if (n > 0) to.append(buffer, static_cast<size_t>(n));
  OPENSSL_cleanse(buffer, sizeof buffer);
  return to.size() <= most;
}

std::string Talk::header_problem() const {
  const size_t end = answer_.find('\n');
  if (end == std::string::npos)
    return answer_.size() > 65536 ? "its first line is too long to be the header" : "";
  const Result<Json> header = parse_document(std::string_view(answer_).substr(0, end));
  if (!header) return "its first line is not the JSON header that the protocol begins with";
  const Json* version = member(*header, "version");
  if (string_in(*header, "magic") != p_.magic)
    return fmt::format("its header does not have the magic word \"{}\"", p_.magic);
  if (!version || !version->is_number_integer() || *version != 1)
    return "it uses a version of the protocol other than 1";
  return "";
}

std::string Talk::follow() {
  const NoPipeSignal quiet;
  constexpr std::chrono::milliseconds kLastWords(500);
  Clock::time_point deadline = Clock::now() + p_.limit, ended{};
  std::string wrong;
  bool checked = false;
  for (;;) {
    pollfd p[3] = {{in_.write, POLLOUT, 0}, {out_.read, POLLIN, 0}, {err_.read, POLLIN, 0}};
    const bool open = out_.read >= 0 || err_.read >= 0;
    const int ready = ::poll(p, 3, open ? 50 : 10);
    if (ready > 0 && p[0].revents) send();
    if (ready > 0 && p[1].revents && !receive(out_, answer_, p_.most))
      return fmt::format("its output is larger than {} bytes", p_.most);
    if (ready > 0 && p[2].revents) {
      receive(err_, complaints_, 0);
      if (complaints_.size() > 8192) complaints_.erase(0, complaints_.size() - 4096);
    }
    if (!checked) {
      checked = answer_.find('\n') != std::string::npos;
      wrong = header_problem();
      // What it does next tells more: it may complain, and fail.
      if (!wrong.empty()) checked = true, deadline = std::min(deadline, Clock::now() + kLastWords);
    }
    const auto now = Clock::now();
    if (ended == Clock::time_point() && has_ended(child_)) ended = now;
    // What it has left in the background may keep the pipes open.
    if (ended != Clock::time_point() && (!open || ready == 0 || now - ended > std::chrono::seconds(1)))
      return header_problem();
    if (stopped(p_.stop)) return kInterrupted;
    if (now > deadline && !wrong.empty()) return wrong;
    if (now > deadline)
      return fmt::format("it did not end within {} seconds",
                         std::chrono::duration_cast<std::chrono::seconds>(p_.limit).count());
  }
}

Result<Secret> Talk::outcome(const std::string& problem) {
  const bool alive = !has_ended(child_);
  if (alive) ::kill(-child_, SIGKILL);
  const int status = reap(child_, Rest::Killed);
  std::string why = problem;
  if (!alive && WIFSIGNALED(status))
    why = fmt::format("it was terminated by signal {}", WTERMSIG(status));
  else if (!alive && WEXITSTATUS(status) != 0)
    why = fmt::format("it exited with code {}", WEXITSTATUS(status));
  else if (why.empty() && answer_.find('\n') == std::string::npos)
    why = "it exited without printing the header that the protocol begins with";
  if (why.empty()) return Secret(answer_.substr(answer_.find('\n') + 1));
  std::string said(trimmed(complaints_));
  if (said.size() > 2000) said = "…" + said.substr(said.size() - 2000);
  said = harmless_text(said);
  const std::string failed = fmt::format("the program \"{}\" failed: {}", p_.command[0], why);
  if (said.empty()) return Error{failed};
  if (said.find('\n') == said.npos) return Error{fmt::format("{}. Its output: \"{}\"", failed, said)};
  return Error{fmt::format("{}. Its output:\n{}\n(end of the output)", failed, said)};
}

}  // namespace

Result<Secret> run_program(const Program& p, const Secret& input) {
  Talk talk(p, input.bytes());
  if (Result<void> ok = talk.start(); !ok) return ok.error();
  return talk.outcome(talk.follow());
}

}  // namespace xplan::crypt
