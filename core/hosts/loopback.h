// Loopback: what a browser on this machine is sent back to, once.
//
// Who calls it: login.
// Contract: listens on 127.0.0.1 alone. Whoever connects is hostile: a request is a GET of at most 16 KiB
// within five seconds; all others get an answer that says nothing, and the waiting goes on. Of the query, the
// last value of a name counts. Cost: up to 16 connections at the same time.  Thread-safety: one thread.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::hosts {

class Loopback {
 public:
  using Query = std::map<std::string, std::string>;
  Loopback() = default;
  ~Loopback();
  Loopback(const Loopback&) = delete;
  Loopback& operator=(const Loopback&) = delete;
  // On a port between the two, by chance; the error is that there is none left.
  Result<void> listen(int first_port, int last_port);
  int port() const { return port_; }
  // The query of the first request for this path with that state; it is answered with the page. Waits until
  // `stop`.
  Result<Query> wait(std::string_view path, const std::string& state, std::string_view page, Stop stop);

 private:
  int fd_ = -1, port_ = 0;
};

}  // namespace xplan::hosts
