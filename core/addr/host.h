// Hosts of registries: one text for all ways to write a host.
//
// Who calls it: addresses of providers and modules, the CLI configuration.
// Cost: linear.  Thread-safety: pure function.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace xplan {

// A host with or without a port in the one form that counts: lower case, in its own script (never "xn--…"),
// without the port that is meant anyway. Empty for what is not a host.
std::optional<std::string> normal_host(std::string_view text);

}  // namespace xplan
