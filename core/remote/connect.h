// Connection: a session with a target, on the way there perhaps through a bastion host.
//
// Who calls it: provisioners (core/apply).
// Contract: connect() tries again until the target's timeout is over: machines that were just made take a
// while to let somebody in. `tell` hears what keeps it from succeeding, each reason once. Mistakes that no
// waiting can mend end it immediately. Cost: up to two handshakes an attempt.  Thread-safety: one thread at a
// time.
#pragma once
#include <functional>
#include <memory>

#include "core/remote/tunnel.h"

namespace xplan::remote {

class Connection {
 public:
  Session& session() { return *session_; }

 private:
  friend Result<std::unique_ptr<Connection>> connect(const Target&, Stop,
                                                     const std::function<void(std::string_view)>&);
  std::unique_ptr<Tunnel> tunnel_;  // outlives the session
  std::unique_ptr<Session> session_;
};

Result<std::unique_ptr<Connection>> connect(const Target& target, Stop stop,
                                            const std::function<void(std::string_view)>& tell);
// What is wrong with keys before any connection; nothing: they can be read.
Result<void> check_keys(const Login& login);          // authenticate.cc
Result<void> check_expected_key(const Login& login);  // session.cc: that of the server
// Why no connection can be made on this machine at all; empty: they can.
std::string unavailable();

}  // namespace xplan::remote
