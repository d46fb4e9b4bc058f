// A listener for one request: connections are looked at in turn, since browsers open some that they never
// use.
#include "core/hosts/loopback.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <random>
#include <vector>

#include "core/base/system_text.h"
#include "core/cloud/signing.h"

namespace xplan::hosts {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kLargest = 16 << 10, kConnections = 16;
constexpr std::chrono::seconds kPatience{5};
constexpr int kLook = 200;  // milliseconds between looks at `stop`

struct Connection {
  explicit Connection(int socket) : fd(socket) {}
  Connection(const Connection&) = delete;
  ~Connection() { ::close(fd); }
  const int fd;
  const Clock::time_point since = Clock::now();
  std::string text;
};

void answer(int fd, std::string_view status, std::string_view page) {
  std::string text = "HTTP/1.1 " + std::string(status) +
                     "\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\nContent-Length: " +
                     std::to_string(page.size()) + "\r\n\r\n";
  text += page;
  // It fits into the buffer of a new connection; to whom it does not, nothing is owed.
  if (::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) > 0) ::shutdown(fd, SHUT_WR);
}

std::string unescaped(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '+', ' ');
  return cloud::uri_unescape(out);
}

Loopback::Query query_of(std::string_view text) {
  Loopback::Query out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const size_t sign = std::min(part.find('='), part.size());
    out[unescaped(part.substr(0, sign))] = unescaped(part.substr(std::min(sign + 1, part.size())));
  }
  return out;
}

// The query, when this is a request for the path.
bool asks_for(std::string_view path, std::string_view request, Loopback::Query& out) {
  if (!request.starts_with("GET ")) return false;
  request.remove_prefix(4);
  const std::string_view target = request.substr(0, request.find_first_of(" \r\n"));
  const size_t mark = std::min(target.find('?'), target.size());
  if (target.substr(0, mark) != path) return false;
  out = query_of(target.substr(std::min(mark + 1, target.size())));
  return true;
}

// Takes what has come; whether there is nothing more to wait for from this one.
bool complete(Connection& c) {
  char buffer[4096];
  const ssize_t n = ::recv(c.fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n > 0) c.text.append(buffer, static_cast<size_t>(n));
  const bool waits = n < 0 && (errno == EAGAIN || errno == EINTR);
  return (n <= 0 && !waits) || c.text.size() > kLargest || c.text.find("\r\n\r\n") != std::string::npos ||
         Clock::now() - c.since > kPatience;
}

}  // namespace

Loopback::~Loopback() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> Loopback::listen(int first_port, int last_port) {
  std::vector<int> ports;
  for (int port = first_port; port <= last_port; ++port) ports.push_back(port);
  std::shuffle(ports.begin(), ports.end(), std::random_device());
  for (const int port : ports) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return Error{"no socket can be opened: " + system_text(errno)};
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0 && ::listen(fd, kConnections) == 0) {
      fd_ = fd, port_ = port;
      return {};
    }
    ::close(fd);
  }
  return Error{"all ports from " + std::to_string(first_port) + " to " + std::to_string(last_port) +
               " of this machine are in use"};
}

Result<Loopback::Query> Loopback::wait(std::string_view path, const std::string& state, std::string_view page,
                                       Stop stop) {
  std::list<Connection> open;
  while (!stopped(stop)) {
    std::vector<pollfd> wanted;
    if (open.size() < kConnections) wanted.push_back({fd_, POLLIN, 0});
    for (const Connection& c : open) wanted.push_back({c.fd, POLLIN, 0});
    ::poll(wanted.data(), wanted.size(), kLook);
    if (open.size() < kConnections)
      if (const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK); fd >= 0)
        open.emplace_back(fd);
    for (auto c = open.begin(); c != open.end();) {
      if (!complete(*c)) {
        ++c;
        continue;
      }
      Query query;
      if (asks_for(path, c->text, query) && query["state"] == state) {
        answer(c->fd, "200 OK", page);
        return query;
      }
      answer(c->fd, "404 Not Found", "");
      c = open.erase(c);
    }
  }
  return interrupted();
}

}  // namespace xplan::hosts
