// ModuleRegistry: the versions of a module that a registry has, and where a version is.
//
// Who calls it: module_install.cc.
// Contract: choose() gives the newest version that meets the constraints; a pre-release only where one names
// exactly it. Errors are phrases. Cost: one request for the versions of a module, one for each location.
// Thread-safety: any thread.
#pragma once
#include <string>
#include <vector>

#include "core/config/module_source.h"
#include "core/config/version.h"
#include "core/install/hosts.h"
#include "core/install/module_fetch.h"

namespace xplan::install {

class ModuleRegistry {
 public:
  explicit ModuleRegistry(Services& s) : services_(s) {}
  struct Location {
    config::ModuleSource source;
    SaidBy said;
  };
  Result<Version> choose(const config::ModuleSource& m, const VersionConstraints& wanted);
  Result<Location> location(const config::ModuleSource& m, const Version& v);

 private:
  using Versions = Result<std::vector<Version>>;
  Versions list(const config::ModuleSource& m, const std::string& base);
  Services& services_;
  OnceMap<Versions> versions_;  // by the package
};

}  // namespace xplan::install
