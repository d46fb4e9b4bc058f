// Credentials of a cluster as they are now: tokens that change, and programs that print them.
//
// Who calls it: client.cc.
// Contract: a program is run when its credentials are first needed, have ended, or were refused; its output
// is hostile, and in no message. A file with a token is read each time, since clusters replace what is in
// it. Cost: a file or a program. Thread-safety: any thread; one program at a time.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>

#include "core/backend/kubernetes/access.h"
#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::backend::kubernetes {

struct Credentials {
  std::string token, user, password;
  std::string certificate, private_key;  // instead of those of the access; empty: none
};

class CredentialSource {
 public:
  explicit CredentialSource(const Access& access) : access_(access) {}
  // `refused`: those that were; whoever comes while there are others gets those. Null: none.
  Result<Credentials> get(const Credentials* refused, Stop stop);
  bool can_refresh() const { return access_.plugin.has_value() || !access_.token_file.empty(); }

 private:
  Result<std::string> run(const Plugin& plugin, Stop stop) const;
  Result<Credentials> of_program(Stop stop);

  const Access& access_;
  std::mutex mutex_;
  Credentials kept_;
  int64_t ends_ = 0;  // of what is kept; 0: nothing is
};

}  // namespace xplan::backend::kubernetes
