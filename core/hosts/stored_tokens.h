// The file in which login keeps tokens: ~/.terraform.d/credentials.tfrc.json, which all the reference tools
// share.
//
// Who calls it: the commands login and logout. (Tokens are found by cli_config.h, which reads this file among
// others.)
// Contract: only the member of the host is touched, everything else in the file stays. The file is its
// owner's alone and is replaced in one step; one that is damaged is an error, and stays as it is. No message
// shows a token.  Cost: one small file.  Thread-safety: none; two programs at the same time may lose one's
// change.
#pragma once
#include <optional>
#include <string>

#include "core/base/result.h"

namespace xplan::hosts {

class StoredTokens {
 public:
  // `home`: of the user.
  explicit StoredTokens(const std::string& home);
  const std::string& path() const { return path_; }
  Result<bool> has(const std::string& host) const;
  Result<void> store(const std::string& host, const std::string& token) const;
  Result<bool> forget(const std::string& host) const;  // false: there was none

 private:
  const std::string directory_, path_;
};

}  // namespace xplan::hosts
