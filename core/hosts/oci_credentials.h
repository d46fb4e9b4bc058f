// Credentials for OCI registries: those of the CLI configuration, and those that other tools left on this
// machine.
//
// Who calls it: the installation of modules.
// Contract: the most specific entry for a repository counts, and of equally specific ones that of the CLI
// configuration, then that of the first file. Files that do not exist are no problem; one that is not as it
// should be is an error. Programs that keep credentials (docker-credential-NAME) are asked only when theirs
// is the entry that counts. Errors never have what a file or a program said.  Cost: a few small files, and a
// program. Thread-safety: pure functions, but for files and the environment.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/stop.h"

namespace xplan::hosts {

struct OciCredentials {
  std::string user, password;
  std::string access_token, refresh_token;
};

struct OciEntry {
  std::string pattern;  // REGISTRY or REGISTRY/REPOSITORY, which covers what is below it; "": all
  OciCredentials credentials;
  std::string helper;  // the NAME of a program, instead of credentials
};

// What the CLI configuration says.
struct OciSettings {
  std::vector<OciEntry> entries;                  // blocks oci_credentials
  bool has_defaults = false;                      // there is a block oci_default_credentials
  bool discover = true;                           // files of other tools are looked for
  std::optional<std::vector<std::string>> files;  // instead of the usual ones
};

// Whether it can be the NAME of such a program.
bool is_oci_helper(const std::string& name);

using OciEnvironment = std::function<const char*(const char*)>;
// Without a value: there are none for it.
Result<std::optional<OciCredentials>> find_oci_credentials(const OciSettings& settings,
                                                           const std::string& registry,
                                                           const std::string& repository,
                                                           const OciEnvironment& env, Stop stop);

}  // namespace xplan::hosts
