// Provider plugins: programs that speak protocol 5 or 6 over gRPC, behind the Provider interface.
//
// Who calls it: cmd, with the programs that install/installed.h found.
// Contract: addresses that are not in the list get the error "Required plugins are not installed"; built-in
// providers need not be in it. start() gives a provider whose schema is at hand; with a cached schema no
// program is started before a call needs it. Schemas are handed out as owning handles
// (schema::ProviderSchemaPtr), which outlive provider and factory. There is at most one process per provider
// configuration: the one started for the schema serves the first configuration, and a process whose Provider
// was dropped serves the next one that is configured with an equal value. All processes are shut down when
// the factory is destroyed, and die with this process even if it is killed, with all that they have started.
// Cost: a process start and a GetProviderSchema per program, the latter once per binary (cached on disk).
// Thread-safety: every function from any thread.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/provider/provider.h"

namespace xplan {

struct PluginProgram {
  ProviderAddr addr;
  std::string path;     // of the executable
  std::string version;  // for messages; may be empty
  // Needed by the configuration at hand: when one such program has to be started for its schema, all are, at
  // the same time. Others (overrides that may not be used) are started when asked for.
  bool required = true;
};

struct PluginOptions {
  std::string core_version = "1.11.4";  // what providers are told to be compatible with
  bool schema_cache = true;
  std::string cache_dir;       // of schemas; empty: $XDG_CACHE_HOME/xplan/schemas or ~/.cache/xplan/schemas
  int start_seconds = 60;      // until the handshake line must have come
  int shutdown_millis = 2000;  // from being asked to leave to being killed
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, what does not answer is not waited for
};

// Programs named by the environment variable TF_REATTACH_PROVIDERS are attached to instead of started,
// whether or not they are in the list; a malformed value is an error of every start().
std::unique_ptr<ProviderFactory> make_plugin_factory(std::vector<PluginProgram> programs,
                                                     PluginOptions options = {});

// Addresses that TF_REATTACH_PROVIDERS names: nothing needs to be installed for them.
std::vector<ProviderAddr> reattached_providers(Diagnostics& diags);

}  // namespace xplan
