// Starts a command, moves its bytes, and tells how it ended.
#include "core/remote/channel.h"

#include <fmt/format.h>

#include <algorithm>

namespace xplan::remote {

using namespace std::chrono_literals;

Channel::Channel(Session& s) : session_(s), handle_(ssh().ssh_channel_new(s.handle())) {
  callbacks_.userdata = this;
  callbacks_.channel_exit_signal_function = on_signal;
  ssh_callbacks_init(&callbacks_);
  if (handle_) ssh().ssh_set_channel_callbacks(handle_, &callbacks_);
}

Channel::~Channel() {
  if (!handle_) return;
  ssh().ssh_channel_close(handle_);
  ssh().ssh_channel_free(handle_);
}

void Channel::on_signal(ssh_session, ssh_channel, const char* signal, int, const char*, const char*,
                        void* self) {
  static_cast<Channel*>(self)->signal_ = one_line(signal ? signal : "");
}

Result<std::unique_ptr<Channel>> Channel::run(Session& s, const std::string& command, Terminal terminal,
                                              const Patience& patience) {
  std::unique_ptr<Channel> c(new Channel(s));
  const Patience answer = patience.at_most(60s);
  int rc = SSH_AGAIN;
  auto step = [&](const std::function<int()>& f) {
    rc = SSH_AGAIN;
    return s.until_done([&] { return (rc = f()) != SSH_AGAIN; }, answer);
  };
  auto failed = [&](bool in_time) {
    return Error{in_time ? fmt::format("the server did not run a command: {}", s.last_error())
                         : "the server did not run a command in time"};
  };
  if (!c->handle_) return Error{"there is not enough memory for another command"};
  bool in_time = step([&] { return ssh().ssh_channel_open_session(c->handle_); });
  if (rc != SSH_OK) return failed(in_time);
  // A server may have no terminals to give; a command does without one.
  if (terminal == Terminal::Yes &&
      !step([&] { return ssh().ssh_channel_request_pty_size(c->handle_, "xterm", 80, 40); }))
    return failed(false);
  in_time = step([&] { return ssh().ssh_channel_request_exec(c->handle_, command.c_str()); });
  if (rc != SSH_OK) return failed(in_time);
  return c;
}

bool Channel::read(const Output& output) {
  char buffer[16384];
  bool any = false;
  for (const int is_stderr : {0, 1}) {
    const int n = ssh().ssh_channel_read_nonblocking(handle_, buffer, sizeof buffer, is_stderr);
    if (n == SSH_ERROR) lost_ = true;
    if (n <= 0) continue;
    any = true;
    output({buffer, static_cast<size_t>(n)}, is_stderr != 0);
  }
  return any;
}

bool Channel::ended() const {
  const Ssh& s = ssh();
  if (lost_ || s.ssh_channel_is_closed(handle_)) return true;
  // After the end of output only this asks the server for more.
  return s.ssh_channel_is_eof(handle_) && (s.ssh_channel_get_exit_status(handle_) >= 0 || !signal_.empty());
}

Result<void> Channel::write(std::string_view data, const Output& output, const Patience& patience) {
  auto last = std::chrono::steady_clock::now();
  while (!data.empty()) {
    const int n = ssh().ssh_channel_write(handle_, data.data(),
                                          static_cast<uint32_t>(std::min<size_t>(data.size(), 1 << 20)));
    if (n > 0) {
      data.remove_prefix(static_cast<size_t>(n));
      last = std::chrono::steady_clock::now();
      continue;
    }
    const bool any = read(output);
    if (n == SSH_ERROR || (!any && ended())) return Error{"the server does not accept any more data"};
    if (patience.over()) return Error{stopped(patience.stop) ? kInterrupted : "it took too long"};
    if (std::chrono::steady_clock::now() - last > 300s)
      return Error{"the server accepted no data for 5 minutes"};
    if (!any) session_.wait(20);
  }
  return {};
}

std::optional<std::string> Channel::failure() const {
  if (!signal_.empty()) return fmt::format("it was terminated by signal {}", signal_);
  const int status = ssh().ssh_channel_get_exit_status(handle_);
  if (status < 0) return "the connection was lost before it ended";
  if (status > 0) return fmt::format("it exited with code {}", status);
  return std::nullopt;
}

}  // namespace xplan::remote
