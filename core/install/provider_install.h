// Installs the providers that a configuration and its state need into .terraform/providers.
//
// Who calls it: cmd init; the parts are used by `providers lock` and `providers mirror`.
// Contract: for each provider the version of the lock file is kept, or, with `upgrade` or without an entry,
// the newest one that meets all constraints is chosen. A package is accepted only when its hash is one that
// the lock file or its source gives. A package is complete in its place or not there; a failure of one
// provider is one error and does not keep others from being installed. Several providers are asked for, and
// then several downloaded, concurrently; events and problems come in the order of the providers, one at a
// time. The lock file is the caller's to write. Cost: nothing but reading what is there when all is installed
// already. Thread-safety: one thread calls; events may come on another, but never two at the same time.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/install/hosts.h"
#include "core/install/lock_file.h"
#include "core/install/requirements.h"
#include "core/install/source.h"

namespace xplan::install {

struct InstallEvent {
  enum class Kind : uint8_t { Reusing, Finding, Installing, Installed, Previous, Cached } kind;
  const ProviderAddr& provider;
  std::string version;         // Finding: the constraints, perhaps none
  std::string authentication;  // Installed
};

struct InstallOptions {
  std::string providers_dir = ".terraform/providers";
  std::string cache_dir;  // empty: none
  bool cache_may_break_lock = false;
  bool upgrade = false;
  std::function<void(const InstallEvent&)> event = [](const InstallEvent&) {};
};

struct InstallResult {
  LockFile lock;                                // what the lock file should say now
  std::vector<std::string> only_this_platform;  // providers whose new hashes were computed here alone
};

// Nothing in the result's lock file may be used after errors.
InstallResult install_providers(const Requirements& needed, const LockFile& lock, SourceSet& sources,
                                Http& http, const InstallOptions& options, Diagnostics& diags);

}  // namespace xplan::install
