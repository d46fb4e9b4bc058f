// CliConfig: what a user has set for all configurations: where providers come from, caches, credentials.
//
// Who calls it: cmd, once, before providers or modules are looked for; UserHosts. Never for configurations
// that need neither providers nor hosts. Sources: the file named by TF_CLI_CONFIG_FILE alone; otherwise
// ~/.terraformrc (else ~/.tofurc; OpenTofu's dialect looks for that one first, Terraform's not at all) and
// ~/.terraform.d/*.tfrc and *.tfrc.json, by name. Where neither of the two files, or not that directory, is
// there, $XDG_CONFIG_HOME/opentofu has them. Then the environment: TF_PLUGIN_CACHE_DIR,
// TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE, TF_TOKEN_*. Contract: what is not understood is reported
// with its place; what other versions of the reference tools have is accepted in silence. No message shows a
// token. Cost: a few small files.  Thread-safety: plain data.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/addr/addr.h"
#include "core/diag/diagnostic.h"
#include "core/hosts/oci_credentials.h"

namespace xplan::hosts {

struct InstallMethod {
  enum class Kind : uint8_t { Filesystem, Network, Oci, Direct } kind = Kind::Direct;
  std::string location;                       // a directory, a URL, or a template of OCI repositories
  std::vector<std::string> include, exclude;  // patterns host/namespace/type with "*"; empty: all, none
  std::optional<int> retries;                 // of downloads; empty: as the environment says
  bool accepts(const ProviderAddr& p) const;
};

// The repository of a provider: the template with its parts in place of ${hostname}, ${namespace} and
// ${type}.
std::string oci_repository(std::string_view repository_template, const ProviderAddr& p);
// What is wrong with such a template; "": nothing. `include`: patterns, of which some may leave parts no
// choice.
std::string oci_template_problem(const std::string& text, const std::vector<std::string>& include);

// The program terraform-credentials-NAME, which knows tokens.
struct CredentialsHelper {
  std::string name;
  std::vector<std::string> arguments;
};

// What no plan may do, whatever it is asked for: the block "review".
struct ReviewRules {
  std::vector<std::string> fail_on, allow;  // as the options of these names take them
  std::string data_types;                   // a file, as the option takes it
};

// How patient requests are: the block "registry_protocols". The environment comes first.
struct RequestLimits {
  std::optional<int> retries, seconds;
};

struct CliConfig {
  std::vector<InstallMethod> methods;                // empty: none given, see default_methods()
  bool has_installation = false;                     // a provider_installation block was given
  std::map<std::string, std::string> dev_overrides;  // ProviderAddr::text() → directory
  std::string plugin_cache_dir;
  bool cache_may_break_lock = false;
  std::map<std::string, std::string> tokens;                           // host → token
  std::optional<CredentialsHelper> helper;                             // for other hosts
  std::map<std::string, std::map<std::string, std::string>> services;  // host → service → URL
  OciSettings oci;                                                     // credentials for OCI registries
  ReviewRules review;                                                  // of all files together
  RequestLimits limits;
};

// Summaries of the warnings about a file that cannot be read, or is not there although it is named. Who only
// wants to know of hosts and tokens cannot go on without it.
inline constexpr std::string_view kUnreadableCliFile = "Unreadable CLI configuration file";
inline constexpr std::string_view kMissingCliFile = "Missing CLI configuration file";

using Environment = std::function<const char*(const char*)>;
// Warns of a file that the environment names and that is not there: main.cc does, whatever the command is.
// Commands that read the file anyway leave it at that.
void report_missing_cli_file(const Environment& env, Diagnostics& diags);
void forget_missing_cli_file(Diagnostics& diags);
// Whose files are looked for in the home directory. Set once, before any is.
enum class CliFiles : uint8_t { Both, Terraform, OpenTofu };
void use_cli_files(CliFiles which);
CliFiles cli_files();
CliConfig load_cli_config(SourceTable& sources, const Environment& env, char** all_environment,
                          Diagnostics& diags);
// One file, for tests and for load_cli_config().
void read_cli_file(SourceTable& sources, const std::string& path, std::string text, const Environment& env,
                   CliConfig& out, Diagnostics& diags);

}  // namespace xplan::hosts
