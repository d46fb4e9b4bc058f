// Session: an encrypted connection to a server whose key was checked and that let the user in.
//
// Who calls it: connect.cc opens sessions; channel.cc and tunnel.cc work with them.
// Contract: nothing waits longer than there is patience. Neither the user's ~/.ssh nor the system's
// configuration counts. What the server says appears in errors shortened and without control characters.
// Cost: one handshake.  Thread-safety: one thread at a time.
#pragma once
#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/remote/libssh.h"
#include "core/remote/target.h"

namespace xplan::remote {

class Session {
 public:
  // Takes the descriptor over, whatever comes of it.
  static Result<std::unique_ptr<Session>> open(const Login& login, int fd, const Patience& patience);
  ~Session();
  Session(const Session&) = delete;

  ssh_session handle() const { return handle_; }
  int fd() const { return fd_; }
  // Calls f until it returns something but `again`; false: the patience was over.
  bool until_done(const std::function<bool()>& f, const Patience& patience) const;
  void wait(int millis) const;  // for the server, or until what is to be sent can be
  std::string last_error() const;

 private:
  Session(int fd);
  Result<void> handshake(const Login& login, const Patience& patience);
  Result<void> check_host_key(const Login& login);

  ssh_session handle_ = nullptr;
  int fd_;
};

Result<void> log_in(Session& s, const Login& login, const Patience& patience);  // authenticate.cc
// What another program says, as part of one line of ours.
std::string one_line(std::string_view text);

}  // namespace xplan::remote
