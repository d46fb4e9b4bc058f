// serve: runs a provider as a plugin program that speaks protocol 6 or 5.
//
// Who calls it: main() of provider programs. Contract: checks that a client started the program (a clear
// message and exit code 1 otherwise), chooses the newest protocol that both sides speak, listens on a unix
// socket of its own, with mutual TLS when the client sent a certificate, prints the handshake line, and
// serves until it is told to shut down or its parent is gone. With the arguments `-docs DIR` it writes the
// documentation of the provider (docs.h) instead. Log lines of the provider (logger.h) are JSON from then on.
// Protocol 5 cannot express nested attributes: with such a schema the client is told so.  Cost: one process;
// calls run on threads of gRPC. Thread-safety: call once. Why a library of its own: a program that uses the
// kit in-process should not link gRPC.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/provider/provider.h"

namespace xplan::kit {

struct ServeOptions {
  std::string name = "This program";  // for the message to people who run it by hand
  std::vector<int> protocols = {6, 5};
  // The schema depends on the program alone: clients then need not ask for it each time.
  bool fixed_schema = true;
  // For tests of clients: true replaces the value that the call of that name answers by bytes that are none.
  std::function<bool(std::string_view call)> corrupt;
};

// The exit code of main().
int serve(xplan::Provider& provider, int argc, char** argv, const ServeOptions& options = {});

}  // namespace xplan::kit
