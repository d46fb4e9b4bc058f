// Serving: a provider at a socket, for as long as this lives.
//
// Who calls it: serve(), which is the program; attach.cc, for clients that attach to a running provider.
// Contract: with the client's certificate the connection has mutual TLS, and certificate() is what the
// handshake line says of ours. The end lets running calls finish for a second, and cancels them then. Cost: a
// few threads. Thread-safety: one thread; calls come on threads of gRPC.
#pragma once
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/provider/kit/server/server.h"

namespace xplan::kit {

class Serving {
 public:
  static Result<std::unique_ptr<Serving>> start(xplan::Provider& provider, const ServeOptions& options,
                                                int protocol, const std::string& client_certificate);
  ~Serving();
  std::string socket() const;
  const std::string& certificate() const;
  // Until the client says to leave, or this process has another parent: then false.
  bool wait(int parent);

 private:
  struct Impl;
  explicit Serving(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::kit
