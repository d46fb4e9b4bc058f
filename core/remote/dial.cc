// Resolves the name on a thread that can be left behind, then connects without blocking.
#include "core/remote/dial.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <memory>
#include <thread>

#include "core/base/system_text.h"
#include "core/base/threads.h"

namespace xplan::remote {
namespace {

using namespace std::chrono_literals;

struct Addresses {
  addrinfo* first = nullptr;
  int error = 0;
  Addresses() = default;
  Addresses(const Addresses&) = delete;
  ~Addresses() {
    if (first) ::freeaddrinfo(first);
  }
};
using Found = std::shared_ptr<Addresses>;

Found look_up(const std::string& host, uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  auto found = std::make_shared<Addresses>();
  found->error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found->first);
  return found;
}

// The system's resolver knows nothing of interrupts, so it is left behind.
Result<Found> resolve(const std::string& host, uint16_t port, const Patience& patience) {
  std::promise<Found> promise;
  std::future<Found> future = promise.get_future();
  std::thread t =
      optional_thread([promise = std::make_shared<std::promise<Found>>(std::move(promise)), host, port] {
        take_no_signals();
        promise->set_value(look_up(host, port));
      });
  Found found;
  if (t.joinable()) {
    t.detach();
    while (future.wait_for(20ms) != std::future_status::ready)
      if (patience.over()) return Error{"the address of \"" + host + "\" was not found in time"};
    found = future.get();
  } else {
    found = look_up(host, port);
  }
  if (found->error != 0)
    return Error{
        "the address of \"" + host + "\" was not found: " +
        (found->error == EAI_SYSTEM ? system_text(errno) : std::string(::gai_strerror(found->error)))};
  return found;
}

void notice_dead_peers(int fd) {
  const auto set = [fd](int level, int name, int value) {
    (void)::setsockopt(fd, level, name, &value, sizeof value);
  };
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 15);
  set(IPPROTO_TCP, TCP_KEEPCNT, 8);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 150'000);
  set(IPPROTO_TCP, TCP_NODELAY, 1);
}

// 0: connected; else an error number.
int connect_to(int fd, const addrinfo& a, const Patience& patience) {
  if (::connect(fd, a.ai_addr, a.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS && errno != EINTR) return errno;
  for (;;) {
    pollfd p{fd, POLLOUT, 0};
    if (::poll(&p, 1, 50) > 0) break;
    if (patience.over()) return ETIMEDOUT;
  }
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

Result<int> dial(const std::string& host, uint16_t port, const Patience& patience) {
  Result<Found> found = resolve(host, port, patience);
  if (!found) return found.error();
  int error = EADDRNOTAVAIL;
  for (const addrinfo* a = (*found)->first; a; a = a->ai_next) {
    const int fd = ::socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
    if (fd < 0) {
      error = errno;
      continue;
    }
    if (error = connect_to(fd, *a, patience.at_most(20s)); error == 0) {
      notice_dead_peers(fd);
      return fd;
    }
    ::close(fd);
    if (patience.over()) break;
  }
  return Error{"failed to connect to " + host + " on port " + std::to_string(port) + ": " +
               system_text(error)};
}

}  // namespace xplan::remote
