// A server that speaks the protocol of PostgreSQL as far as statements go, and answers as a test wants it.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace xplan::test {

class PgLiar {
 public:
  using Row = std::vector<std::optional<std::string>>;
  struct Answer {
    std::vector<Row> rows = {};
    char other = 0;       // a message of this type instead, with nothing in it
    size_t repeated = 1;  // how often the rows come
  };
  // To what a statement is.
  explicit PgLiar(std::function<Answer(const std::string&)> answer) : answer_(std::move(answer)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof a;
    if (::bind(listening_, reinterpret_cast<sockaddr*>(&a), size) != 0 || ::listen(listening_, 8) != 0 ||
        ::getsockname(listening_, reinterpret_cast<sockaddr*>(&a), &size) != 0)
      std::abort();
    port_ = ntohs(a.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~PgLiar() {
    over_ = true;
    thread_.join();
    ::close(listening_);
  }
  std::string conn_str() const {
    return "host=127.0.0.1 user=u dbname=d sslmode=disable port=" + std::to_string(port_);
  }

 private:
  static std::string number(size_t n, int bytes) {
    std::string out;
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(n >> (8 * i));
    return out;
  }
  static std::string message(char type, const std::string& body) {
    return type + number(body.size() + 4, 4) + body;
  }
  static std::string described(size_t columns) {
    std::string out = number(columns, 2);
    for (size_t i = 0; i < columns; ++i)
      out += std::string("c\0", 2) + number(0, 6) + number(25, 4) + number(0xffff, 2) +
             number(0xffffffff, 4) + number(0, 2);
    return message('T', out);
  }
  static std::string row(const Row& values) {
    std::string out = number(values.size(), 2);
    for (const auto& v : values) out += v ? number(v->size(), 4) + *v : number(0xffffffff, 4);
    return message('D', out);
  }
  bool exactly(int fd, size_t size, std::string& out) const {
    out.clear();
    for (char buffer[4096]; out.size() < size;) {
      pollfd p{fd, POLLIN, 0};
      if (over_) return false;
      if (::poll(&p, 1, 20) <= 0) continue;
      const ssize_t n = ::read(fd, buffer, std::min(sizeof buffer, size - out.size()));
      if (n <= 0) return false;
      out.append(buffer, static_cast<size_t>(n));
    }
    return true;
  }
  bool say(int fd, const std::string& text) const {
    for (size_t at = 0; at < text.size();) {
      pollfd p{fd, POLLOUT, 0};
      if (over_) return false;
      if (::poll(&p, 1, 20) <= 0) continue;
      const ssize_t n = ::send(fd, text.data() + at, text.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n <= 0) return false;
      at += static_cast<size_t>(n);
    }
    return true;
  }
  static size_t length(const std::string& four) {
    size_t out = 0;
    for (const char c : four) out = out << 8 | static_cast<unsigned char>(c);
    return out;
  }
  bool answer(int fd, const std::string& sql) const {
    const Answer a = answer_(sql);
    if (a.other) return say(fd, message(a.other, number(0, 3)));
    if (!a.rows.empty() && !say(fd, described(a.rows[0].size()))) return false;
    std::string rows;
    for (const Row& r : a.rows) rows += row(r);
    for (size_t n = 0; n < a.repeated; ++n)
      if (!say(fd, rows)) return false;
    return say(fd, message('C', std::string("SELECT 0\0", 9)));
  }
  void talk(int fd) const {
    std::string type, size, body, sql;
    if (!exactly(fd, 4, size) || !exactly(fd, length(size) - 4, body)) return;
    if (!say(fd, message('R', number(0, 4)) + message('Z', "I"))) return;
    while (exactly(fd, 1, type) && exactly(fd, 4, size) && exactly(fd, length(size) - 4, body)) {
      if (type == "P") sql = body.c_str() + body.find('\0') + 1;
      if (type == "P" && !say(fd, message('1', ""))) return;
      if (type == "B" && !say(fd, message('2', ""))) return;
      if (type == "E" && !answer(fd, sql)) return;
      if (type == "S" && !say(fd, message('Z', "I"))) return;
    }
  }
  void serve() {
    while (!over_) {
      pollfd p{listening_, POLLIN, 0};
      if (::poll(&p, 1, 20) <= 0) continue;
      const int fd = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      talk(fd);
      ::close(fd);
    }
  }

  const std::function<Answer(const std::string&)> answer_;
  int listening_ = -1, port_ = 0;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace xplan::test
