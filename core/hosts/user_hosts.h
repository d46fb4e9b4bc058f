// UserHosts: where the services of hosts are, and the tokens for them, as the user has set that for all
// configurations.
//
// Who calls it: backends whose service is found by the name of a host.
// Contract: nothing is read or asked before the first call; then the CLI configuration, once. A problem of it
// is an error.  Cost: a few small files; one request per host.  Thread-safety: any thread.
#pragma once
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::hosts {

class UserHosts {
 public:
  explicit UserHosts(Stop stop);
  ~UserHosts();
  // The base URL of a service of a host, ending in a slash, to which its token may go.
  Result<std::string> service(const std::string& host, const std::string& name);
  Result<std::string> token(const std::string& host);  // "": there is none

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::hosts
