// CONNECT of HTTP, and version 5 of SOCKS with names and passwords, on a descriptor that does not block.
#include "core/remote/proxy.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "core/base/base64.h"
#include "core/base/system_text.h"

namespace xplan::remote {
namespace {

constexpr size_t kLongestAnswer = 16 << 10;

class Conversation {
 public:
  Conversation(int fd, const Proxy& proxy, const Patience& patience)
      : fd_(fd), proxy_(proxy), patience_(patience) {}

  Result<void> say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
      if (n < 0 && errno == EAGAIN && !wait(POLLOUT)) return silent();
      if (n < 0 && errno != EAGAIN && errno != EINTR) return failed(system_text(errno));
    }
    return {};
  }
  // So many bytes and no more: what follows is for somebody else.
  Result<std::string> hear(size_t count) {
    std::string out;
    while (out.size() < count) {
      char c;
      const ssize_t n = ::recv(fd_, &c, 1, 0);
      if (n == 1) out += c;
      if (n == 0) return failed("it closed the connection");
      if (n < 0 && errno == EAGAIN && !wait(POLLIN)) return silent();
      if (n < 0 && errno != EAGAIN && errno != EINTR) return failed(system_text(errno));
    }
    return out;
  }
  Error failed(const std::string& why) const {
    return Error{fmt::format("the proxy {} on port {} did not connect: {}", proxy_.host, proxy_.port, why)};
  }

 private:
  Error silent() const { return failed("it did not answer in time"); }
  bool wait(short events) const {
    for (pollfd p{fd_, events, 0}; !patience_.over();)
      if (::poll(&p, 1, 50) > 0) return true;
    return false;
  }
  const int fd_;
  const Proxy& proxy_;
  const Patience patience_;
};

Result<void> by_http(Conversation& c, const Proxy& proxy, const std::string& host, uint16_t port) {
  const std::string to =
      fmt::format(fmt::runtime(host.find(':') == host.npos ? "{}:{}" : "[{}]:{}"), host, port);
  std::string request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", to);
  if (!proxy.user.empty())
    request += "Proxy-Authorization: Basic " +
               base64_encode(proxy.user + ":" + std::string(proxy.password.bytes())) + "\r\n";
  if (const Result<void> said = c.say(request + "\r\n"); !said) return said;
  std::string answer;
  while (!answer.ends_with("\r\n\r\n")) {
    const Result<std::string> more = c.hear(1);
    if (!more) return more.error();
    answer += *more;
    if (answer.size() > kLongestAnswer) return c.failed("its answer has no end");
  }
  const bool http = answer.starts_with("HTTP/1.") && answer.size() > 12 && answer[8] == ' ';
  const std::string status = http ? answer.substr(9, 3) : "";
  if (status.find_first_not_of("0123456789") != status.npos || status.size() != 3)
    return c.failed("it does not speak HTTP");
  if (status == "407") return c.failed("it requires another user name and password (407)");
  return status[0] == '2' ? Result<void>() : c.failed("it answered with the status " + status);
}

std::string with_length(std::string_view s) {
  return std::string(1, static_cast<char>(s.size())) + std::string(s);
}

Result<void> log_in(Conversation& c, const Proxy& proxy) {
  const std::string password(proxy.password.bytes());
  if (const Result<void> said = c.say("\x01" + with_length(proxy.user) + with_length(password)); !said)
    return said;
  const Result<std::string> answer = c.hear(2);
  if (!answer) return answer.error();
  return (*answer)[1] == 0 ? Result<void>() : c.failed("it does not accept the user name and the password");
}

Result<void> by_socks(Conversation& c, const Proxy& proxy, const std::string& host, uint16_t port) {
  using namespace std::string_view_literals;
  if (host.size() > 255 || proxy.user.size() > 255 || proxy.password.bytes().size() > 255)
    return c.failed("the host, the user name and the password can have at most 255 bytes");
  const bool named = !proxy.user.empty();
  if (const Result<void> said = c.say(named ? "\x05\x02\x00\x02"sv : "\x05\x01\x00"sv); !said) return said;
  const Result<std::string> method = c.hear(2);
  if (!method) return method.error();
  if ((*method)[0] != 5) return c.failed("it does not speak version 5 of SOCKS");
  if ((*method)[1] == 2 && named) {
    if (const Result<void> in = log_in(c, proxy); !in) return in;
  } else if ((*method)[1] != 0) {
    return c.failed(named ? "it accepts no user names and passwords"
                          : "it requires a user name and a password");
  }
  const std::string to = with_length(host) + static_cast<char>(port >> 8) + static_cast<char>(port & 255);
  if (const Result<void> said = c.say(std::string("\x05\x01\x00\x03"sv) + to); !said) return said;
  const Result<std::string> answer = c.hear(4);
  if (!answer) return answer.error();
  if ((*answer)[1] != 0) {
    constexpr std::string_view kReasons[] = {"of a failure of its own", "its rules do not allow it",
                                             "the network is not reachable", "the host is not reachable",
                                             "the connection was refused"};
    const auto code = static_cast<unsigned char>((*answer)[1]);
    return c.failed(code <= std::size(kReasons) ? std::string(kReasons[code - 1])
                                                : fmt::format("it answered with the code {}", code));
  }
  const auto kind = static_cast<unsigned char>((*answer)[3]);
  size_t rest = kind == 1 ? 4 : kind == 4 ? 16 : 0;
  if (kind == 3) {
    const Result<std::string> length = c.hear(1);
    if (!length) return length.error();
    rest = static_cast<unsigned char>((*length)[0]);
  }
  const Result<std::string> bound = c.hear(rest + 2);
  return bound ? Result<void>() : bound.error();
}

}  // namespace

Result<void> pass_proxy(int fd, const Proxy& proxy, const std::string& host, uint16_t port,
                        const Patience& patience) {
  Conversation c(fd, proxy, patience.at_most(std::chrono::seconds(20)));
  for (const unsigned char byte : host)
    if (byte <= 0x20 || byte == 0x7f)
      return c.failed("the name of the host has spaces or control characters");
  return proxy.socks ? by_socks(c, proxy, host, port) : by_http(c, proxy, host, port);
}

}  // namespace xplan::remote
