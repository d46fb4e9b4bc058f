// The line with which a plugin says where it listens: CORE|APP|NETWORK|ADDRESS|PROTOCOL[|CERTIFICATE[|…]].
//
// Who calls it: process start, with the first line of standard output. Contract: hostile input; every field
// is checked, and a plugin that was started is spoken to on this machine only; an Error says in one sentence
// what is wrong with the line.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::plugin {

struct Endpoint {
  int protocol = 0;         // 5 or 6
  std::string target;       // in gRPC's form: unix:PATH or ADDRESS:PORT
  std::string certificate;  // PEM; empty: the plugin speaks without TLS
};
Result<Endpoint> parse_handshake(std::string_view line);
// A network ("unix", "tcp") and an address (a path, HOST:PORT) to gRPC's form.
Result<std::string> grpc_target(std::string_view network, std::string_view address);

}  // namespace xplan::plugin
