// Carries bytes between a pair of sockets and a channel of the bastion's session.
#include "core/remote/tunnel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/threads.h"

namespace xplan::remote {

Result<std::unique_ptr<Tunnel>> Tunnel::open(std::unique_ptr<Session> bastion, const std::string& host,
                                             uint16_t port, const Patience& patience) {
  std::unique_ptr<Tunnel> t(new Tunnel(std::move(bastion)));
  t->channel_ = ssh().ssh_channel_new(t->bastion_->handle());
  int rc = SSH_AGAIN;
  const bool in_time = t->channel_ && t->bastion_->until_done(
                                          [&] {
                                            rc = ssh().ssh_channel_open_forward(t->channel_, host.c_str(),
                                                                                port, "127.0.0.1", 0);
                                            return rc != SSH_AGAIN;
                                          },
                                          patience);
  if (!in_time || rc != SSH_OK)
    return Error{fmt::format("the bastion host did not connect to {} on port {}: {}", host, port,
                             in_time ? t->bastion_->last_error() : "it took too long")};
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
    return Error{"there are too many open files for another connection"};
  t->near_ = pair[0], t->far_ = pair[1];
  t->thread_ = optional_thread([tunnel = t.get()] {
    take_no_signals();
    tunnel->carry();
  });
  if (!t->thread_.joinable())
    return Error{"there are not enough threads for a connection through a bastion host"};
  return t;
}

Tunnel::~Tunnel() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
  if (channel_) ssh().ssh_channel_free(channel_);
  for (int fd : {near_, far_})
    if (fd >= 0) ::close(fd);
}

int Tunnel::take_descriptor() {
  const int fd = near_;
  near_ = -1;
  return fd;
}

void Tunnel::carry() {
  constexpr size_t kPiece = 32768;
  std::string in, out;  // from the bastion, to it: what waits
  char buffer[kPiece];
  bool near_ended = false;
  while (!done_) {
    bool moved = false;
    if (in.size() < kPiece) {
      const int n = ssh().ssh_channel_read_nonblocking(channel_, buffer, sizeof buffer, 0);
      if (n == SSH_ERROR) break;
      if (n > 0) in.append(buffer, static_cast<size_t>(n)), moved = true;
    }
    if (!in.empty()) {
      const ssize_t n = ::send(far_, in.data(), in.size(), MSG_NOSIGNAL);
      if (n > 0)
        in.erase(0, static_cast<size_t>(n)), moved = true;
      else if (errno != EAGAIN && errno != EINTR)
        break;
    } else if (ssh().ssh_channel_is_eof(channel_) || ssh().ssh_channel_is_closed(channel_)) {
      break;
    }
    if (out.empty() && !near_ended) {
      const ssize_t n = ::read(far_, buffer, sizeof buffer);
      if (n > 0) out.append(buffer, static_cast<size_t>(n)), moved = true;
      near_ended = n == 0;
    }
    if (!out.empty()) {
      const int n = ssh().ssh_channel_write(channel_, out.data(), static_cast<uint32_t>(out.size()));
      if (n == SSH_ERROR) break;
      if (n > 0) out.erase(0, static_cast<size_t>(n)), moved = true;
    } else if (near_ended) {
      break;
    }
    if (moved) continue;
    pollfd p[2] = {{bastion_->fd(), POLLIN, 0}, {far_, 0, 0}};
    if (ssh().ssh_get_poll_flags(bastion_->handle()) & SSH_WRITE_PENDING) p[0].events |= POLLOUT;
    if (out.empty() && !near_ended) p[1].events |= POLLIN;
    if (!in.empty()) p[1].events |= POLLOUT;
    (void)::poll(p, 2, 50);
  }
  (void)::shutdown(far_, SHUT_RDWR);  // whoever reads the near end hears of it
}

}  // namespace xplan::remote
