// A credentials helper: the program that a user has set to keep tokens.
//
// Who calls it: discovery.cc.
// Contract: the program terraform-credentials-NAME in ~/.terraform.d/plugins is asked "get HOST", and prints
// a JSON object with the token, or without one where it knows none. No shell; what it writes to standard
// error is the user's to see. An error never has what it printed. Cost: one process.  Thread-safety: any
// thread.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/hosts/cli_config.h"

namespace xplan::hosts {

Result<std::string> token_of_helper(const CredentialsHelper& helper, const std::string& host, Stop stop);

}  // namespace xplan::hosts
