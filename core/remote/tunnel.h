// Tunnel: a connection through a bastion host, as a descriptor like that of any other connection.
//
// Who calls it: connect.cc.
// Contract: from open() on the session belongs to the tunnel, which carries bytes on a thread of its own
// until it is destroyed, one of both sides ends, or the bastion is lost. Cost: a thread, 128 KiB.
// Thread-safety: one thread makes and destroys it.
#pragma once
#include <atomic>
#include <memory>
#include <thread>

#include "core/remote/session.h"

namespace xplan::remote {

class Tunnel {
 public:
  static Result<std::unique_ptr<Tunnel>> open(std::unique_ptr<Session> bastion, const std::string& host,
                                              uint16_t port, const Patience& patience);
  ~Tunnel();
  Tunnel(const Tunnel&) = delete;
  int take_descriptor();  // of the near end; it is the caller's from then on

 private:
  explicit Tunnel(std::unique_ptr<Session> bastion) : bastion_(std::move(bastion)) {}
  void carry();

  std::unique_ptr<Session> bastion_;
  ssh_channel channel_ = nullptr;
  int near_ = -1, far_ = -1;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace xplan::remote
