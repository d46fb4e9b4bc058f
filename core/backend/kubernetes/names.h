// Names of the secrets and the lease of a state.
//
// Who calls it: settings.cc, place.cc, server.cc. Cost: linear in the names.  Thread-safety: pure functions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace xplan::backend::kubernetes {

std::string secret_name(const std::string& workspace, const std::string& suffix);
// Of the part n of a state that is larger than a secret; 0 is the secret itself.
std::string part_name(const std::string& secret, size_t n);
std::optional<size_t> part_number(std::string_view name, const std::string& secret);
// Why no object can have it; "": it can.
std::string name_problem(std::string_view name);

}  // namespace xplan::backend::kubernetes
