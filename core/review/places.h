// Where the configuration says what a plan is about: the block of a resource, an output, a check.
//
// Who calls it: review/review.h, and renderers of documents that point into files.
// Contract: what has no block any more is where something else says that it goes: a removed or moved block,
// else the call of its module; an invalid range where nothing does. Cost: a look-up in hash tables; once, the
// moved and removed blocks of the configuration.  Thread-safety: const functions; the configuration must
// outlive it. Without one, where it could not be loaded, nothing has a place.
#pragma once
#include <unordered_map>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

class Places {
 public:
  explicit Places(const config::Config* config);
  Range of(const ConfigResource& resource) const;
  Range of(const CheckResult& check) const;
  Range of_output(Symbol name) const;  // of the root module
  Range anywhere() const;              // the beginning of the configuration

 private:
  Range of_module(Module path) const;
  const config::Config* const config_;
  std::unordered_map<std::string, Range> left_;  // what moved and removed blocks name, by its address
};

}  // namespace xplan::review
