// TF_REATTACH_PROVIDERS: providers that already run (under a debugger, in a test) and are connected to.
//
// Who calls it: the plugin factory. Contract: the value is JSON: an object from provider address to
// {"Protocol":"grpc","ProtocolVersion":6,"Pid":1,"Test":true,"Addr":{"Network":"unix","String":"/path"}};
// anything else is an Error that says what is wrong with it. The connection is plain, and the process is
// never ended from here.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "core/addr/addr.h"
#include "core/base/result.h"
#include "core/provider/plugin/handshake.h"

namespace xplan::plugin {

using Reattached = std::vector<std::pair<ProviderAddr, Endpoint>>;
Result<Reattached> parse_reattach(std::string_view json);

}  // namespace xplan::plugin
