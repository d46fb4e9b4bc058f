// Finds the programs of installed providers, checked against the dependency lock file.
//
// Who calls it: cmd, when a configuration (or a state) needs a provider that is not built in.
// Contract: each package is hashed again, as a changed program must not run; all problems of all providers
// are reported together in one error that asks for init. Overrides for development come first and are neither
// locked nor checked. Cost: reading every byte of packages that changed since they were last read, several at
// a time; nothing at all when only the built-in provider is needed.  Thread-safety: pure function.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/install/lock_file.h"
#include "core/install/requirements.h"
#include "core/provider/plugin/plugin.h"

namespace xplan::install {

struct InstalledOptions {
  std::string providers_dir = ".terraform/providers";
  std::map<std::string, std::string> dev_overrides;  // ProviderAddr::text() → directory
  std::vector<ProviderAddr> attached;                // run outside: nothing is installed for them
};

// Programs for all that is needed; nothing after an error.
std::vector<PluginProgram> find_installed(const Requirements& needed, const LockFile& lock,
                                          const InstalledOptions& options, Diagnostics& diags);
// The warning that overrides are at work; nothing when there are none.
void warn_of_overrides(const std::map<std::string, std::string>& overrides, bool installing,
                       Diagnostics& diags);

}  // namespace xplan::install
