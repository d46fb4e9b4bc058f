// The way through an HTTP or SOCKS proxy, over a connection to it.
//
// Who calls it: connect.cc.
// Contract: afterwards, the connection is one to the host, and nothing of what that says was read. The proxy
// resolves the host's name. What it says is hostile: a little of it is read, and only its status is shown.
// Cost: one exchange, two or three with SOCKS.  Thread-safety: any thread.
#pragma once
#include "core/base/result.h"
#include "core/remote/target.h"

namespace xplan::remote {

// `fd` stays the caller's, also after an error.
Result<void> pass_proxy(int fd, const Proxy& proxy, const std::string& host, uint16_t port,
                        const Patience& patience);

}  // namespace xplan::remote
