// A server for tests: HTTP/1.1 on a free port of this machine, whose answers a function makes.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace xplan::test {

struct Asked {
  std::string method, path;
  std::map<std::string, std::string> headers;  // names as they came
  std::string body;
  int connection = 0;  // which one of those that were accepted
};

class SmallServer {
 public:
  // Gives a whole answer, from "HTTP/1.1 200 OK\r\n" on; an empty one closes the connection, and so does one
  // with "Connection: close", however long it said that it would be.
  using Reply = std::function<std::string(const Asked&)>;
  explicit SmallServer(Reply reply) : reply_(std::move(reply)) {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof a;
    if (::bind(listening_, reinterpret_cast<sockaddr*>(&a), size) != 0 || ::listen(listening_, 64) != 0 ||
        ::getsockname(listening_, reinterpret_cast<sockaddr*>(&a), &size) != 0)
      std::abort();
    url = "http://localhost:" + std::to_string(ntohs(a.sin_port));
    thread_ = std::thread([this] { accept(); });
  }
  ~SmallServer() {
    ending_ = true;
    thread_.join();
    for (std::thread& t : serving_) t.join();
    ::close(listening_);
  }
  std::string url;
  std::vector<Asked> asked() {
    std::lock_guard lock(mutex_);
    return asked_;
  }
  static std::string answer(const std::string& status, const std::string& body = "",
                            const std::string& headers = "") {
    return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers +
           "\r\n" + body;
  }

 private:
  bool readable(int fd) const {
    pollfd p{fd, POLLIN, 0};
    while (!ending_)
      if (::poll(&p, 1, 20) > 0) return true;
    return false;
  }
  void accept() {
    for (int number = 0; readable(listening_); ++number) {
      const int fd = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd >= 0) serving_.emplace_back([this, fd, number] { serve(fd, number); });
    }
  }
  bool more(int fd, std::string& text) const {
    char buffer[65536];
    const ssize_t n = readable(fd) ? ::read(fd, buffer, sizeof buffer) : 0;
    if (n > 0) text.append(buffer, static_cast<size_t>(n));
    return n > 0;
  }
  void serve(int fd, int number) {
    std::string text;
    for (bool open = true; open;) {
      size_t end;
      while ((end = text.find("\r\n\r\n")) == text.npos && (open = more(fd, text))) {
      }
      if (!open) break;
      Asked a = parsed(text.substr(0, end));
      a.connection = number;
      const size_t length = a.headers.count("Content-Length") ? std::stoul(a.headers["Content-Length"]) : 0;
      while (text.size() < end + 4 + length && (open = more(fd, text))) {
      }
      a.body = text.substr(end + 4, length);
      text.erase(0, end + 4 + length);
      {
        std::lock_guard lock(mutex_);
        asked_.push_back(a);
      }
      std::string out = reply_(a);
      if (a.method == "HEAD") out.resize(std::min(out.size(), out.find("\r\n\r\n") + 4));
      const bool sent = ::send(fd, out.data(), out.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(out.size());
      open = open && !out.empty() && sent && out.find("Connection: close\r\n") == out.npos;
    }
    ::close(fd);
  }
  static Asked parsed(const std::string& head) {
    Asked a;
    size_t at = head.find("\r\n");
    const std::string first = head.substr(0, at);
    a.method = first.substr(0, first.find(' '));
    a.path = first.substr(a.method.size() + 1, first.rfind(' ') - a.method.size() - 1);
    while (at != head.npos) {
      const size_t next = head.find("\r\n", at + 2);
      const std::string line = head.substr(at + 2, next == head.npos ? next : next - at - 2);
      if (const size_t colon = line.find(": "); colon != line.npos)
        a.headers[line.substr(0, colon)] = line.substr(colon + 2);
      at = next;
    }
    return a;
  }

  Reply reply_;
  int listening_ = -1;
  std::atomic<bool> ending_{false};
  std::mutex mutex_;
  std::vector<Asked> asked_;
  std::vector<std::thread> serving_;
  std::thread thread_;
};

}  // namespace xplan::test
