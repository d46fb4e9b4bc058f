// A credentials helper: the program that a user has set to keep tokens.
//
// Who calls it: discovery.cc; the commands login and logout; oci_credentials.cc, whose programs are called
// alike. Contract: the program terraform-credentials-NAME in ~/.terraform.d/plugins is called with "get",
// "store" or "forget" and the host. For "get" it prints a JSON object with the token, or without one where it
// knows none; "store" reads such an object from standard input. No shell; what it writes to standard error is
// the user's to see. An error never has what it printed. Cost: one process.  Thread-safety: any thread.
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/hosts/cli_config.h"

namespace xplan::hosts {

Result<std::string> token_of_helper(const CredentialsHelper& helper, const std::string& host, Stop stop);
Result<void> store_in_helper(const CredentialsHelper& helper, const std::string& host,
                             const std::string& token, Stop stop);
Result<void> forget_in_helper(const CredentialsHelper& helper, const std::string& host, Stop stop);

// Any such program: what it printed, after it was given `input` to read. `what` begins errors.
struct HelperSaid {
  int code = 0;
  std::string text;
};
Result<HelperSaid> ask_credentials_program(const std::vector<std::string>& arguments,
                                           const std::string& input, const std::string& what, Stop stop);

}  // namespace xplan::hosts
