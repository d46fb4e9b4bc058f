// A TCP connection to a host and port, without waiting longer than there is patience.
//
// Who calls it: connect.cc.
// Contract: all addresses of the name are tried in turn. A peer that is gone is noticed within minutes
// (keep-alive probes), though nothing is sent. The descriptor is the caller's. Cost: one connection, a thread
// while the name is resolved.  Thread-safety: any thread.
#pragma once
#include "core/base/result.h"
#include "core/remote/target.h"

namespace xplan::remote {

Result<int> dial(const std::string& host, uint16_t port, const Patience& patience);

}  // namespace xplan::remote
