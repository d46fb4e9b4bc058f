// A way to a server for tests, which ends while the server answers: what was asked for happens, and nobody
// hears of it.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

namespace xplan::test {

class Proxy {
 public:
  // To a port of this machine.
  explicit Proxy(int port) : to_(port) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a = address(0);
    socklen_t size = sizeof a;
    if (::bind(listening_, reinterpret_cast<sockaddr*>(&a), size) != 0 || ::listen(listening_, 8) != 0 ||
        ::getsockname(listening_, reinterpret_cast<sockaddr*>(&a), &size) != 0)
      std::abort();
    port_ = ntohs(a.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Proxy() {
    over_ = true;
    thread_.join();
    ::close(listening_);
    for (const int fd : forgotten_) ::close(fd);
  }
  int port() const { return port_; }
  // The next answer of the server is not passed on; the connection ends instead.
  void cut() { cut_ = true; }
  // There is no server: connections end at once, those that there are too.
  void away(bool is) { away_ = is; }
  // The connection there is passes nothing on any more, and stays; later ones do. As with a firewall that has
  // forgotten it.
  void fall_silent() { silent_ = true; }

 private:
  static sockaddr_in address(int port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    a.sin_port = htons(static_cast<uint16_t>(port));
    return a;
  }
  // One connection after the other.
  void serve() {
    while (!over_) {
      pollfd p{listening_, POLLIN, 0};
      if (::poll(&p, 1, 20) <= 0) continue;
      const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in a = address(to_);
      if (!away_ && ::connect(server, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0)
        pass_on(client, server);
      if (silent_.exchange(false)) {
        forgotten_.insert(forgotten_.end(), {client, server});
        continue;
      }
      ::close(client);
      ::close(server);
    }
  }
  void pass_on(int client, int server) {
    while (!over_ && !away_ && !silent_) {
      pollfd both[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      if (::poll(both, 2, 20) <= 0) continue;
      for (const auto& [from, to] : {std::pair{0, server}, std::pair{1, client}}) {
        if (!both[from].revents) continue;
        char buffer[65536];
        const ssize_t n = ::read(both[from].fd, buffer, sizeof buffer);
        if (n <= 0 || (from == 1 && cut_.exchange(false))) return;
        if (::send(to, buffer, static_cast<size_t>(n), MSG_NOSIGNAL) != n) return;
      }
    }
  }

  const int to_;
  int listening_ = -1, port_ = 0;
  std::atomic<bool> over_{false}, cut_{false}, away_{false}, silent_{false};
  std::vector<int> forgotten_;
  std::thread thread_;
};

}  // namespace xplan::test
