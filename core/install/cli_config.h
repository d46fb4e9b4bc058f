// CliConfig: what a user has set for all configurations: where providers come from, caches, credentials.
//
// Who calls it: cmd, once, before providers or modules are looked for; never for configurations that need
// neither.
// Sources: the file named by TF_CLI_CONFIG_FILE alone; otherwise ~/.terraformrc (else ~/.tofurc) and
// ~/.terraform.d/*.tfrc and *.tfrc.json, by name. Then the environment: TF_PLUGIN_CACHE_DIR,
// TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE, TF_TOKEN_*. Contract: what is not understood is reported
// with its place; what other versions of the field's tools have is accepted in silence. No message shows a
// token. Cost: a few small files.  Thread-safety: plain data.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/diag/diagnostic.h"

namespace xplan::install {

struct InstallMethod {
  enum class Kind : uint8_t { Filesystem, Network, Direct } kind = Kind::Direct;
  std::string location;                       // a directory or a URL
  std::vector<std::string> include, exclude;  // patterns host/namespace/type with "*"; empty: all, none
  bool accepts(const ProviderAddr& p) const;
};

struct CliConfig {
  std::vector<InstallMethod> methods;                // empty: none given, see default_methods()
  bool has_installation = false;                     // a provider_installation block was given
  std::map<std::string, std::string> dev_overrides;  // ProviderAddr::text() → directory
  std::string plugin_cache_dir;
  bool cache_may_break_lock = false;
  std::map<std::string, std::string> tokens;                           // host → token
  std::map<std::string, std::map<std::string, std::string>> services;  // host → service → URL
};

using Environment = std::function<const char*(const char*)>;
CliConfig load_cli_config(SourceTable& sources, const Environment& env, char** all_environment,
                          Diagnostics& diags);
// One file, for tests and for load_cli_config(). `seen_installation`: whether another file had the block.
void read_cli_file(SourceTable& sources, const std::string& path, std::string text, const Environment& env,
                   CliConfig& out, Diagnostics& diags);

// What applies without a provider_installation block: local directories that exist, and the registries for
// all providers that are not in one of them.
std::vector<InstallMethod> default_methods(const Environment& env);

}  // namespace xplan::install
