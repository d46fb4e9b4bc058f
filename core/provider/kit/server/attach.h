// Attachable: a provider in this process that engines attach to, instead of starting a program: under a
// debugger, in a test.
//
// Who calls it: testing/harness; programs of one's own. Contract: with TF_REATTACH_PROVIDERS set to
// reattach(), an engine uses this provider for that address, and leaves it running. The connection is plain:
// a socket in a directory that only this user can read. Cost: a few threads. Thread-safety: one thread; the
// provider's calls come on others.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/provider/provider.h"

namespace xplan::kit {

class Serving;
class Attachable {
 public:
  static Result<std::unique_ptr<Attachable>> start(xplan::Provider& provider, int protocol = 6);
  ~Attachable();
  std::string reattach(std::string_view address) const;  // "registry.terraform.io/me/notes"

 private:
  Attachable(std::unique_ptr<Serving> s, int protocol);
  std::unique_ptr<Serving> serving_;
  int protocol_;
};

}  // namespace xplan::kit
