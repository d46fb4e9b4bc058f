// Installs the modules that a configuration calls and that runs of its tests take, and keeps the list of
// them, modules.json.
//
// Who calls it: cmd init and get.
// Contract: what is listed, there, and still what the calls ask for stays; with `upgrade` everything is
// fetched again. Each package is fetched once, however many calls use it. A local path inside of a package
// stays inside of that package. The modules of one depth are installed concurrently; events and failures come
// in order of the depth, the calling module and the name, one at a time. All failures are reported, the list
// is written with what could be installed. Cost: reading the files of each module, and the downloads.
// Thread-safety: one thread calls; events may come on another, but never two at the same time.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "core/config/config.h"
#include "core/diag/diagnostic.h"
#include "core/install/hosts.h"

namespace xplan::install {

struct ModuleEntry {
  std::string source, version, dir;
};
using ModuleManifest = std::map<std::string, ModuleEntry>;  // by path: "a.b"; the root module is ""

ModuleManifest read_manifest(const std::string& data_dir);
std::string manifest_text(const ModuleManifest& m);

struct ModuleEvent {
  enum class Kind : uint8_t { Downloading, Installed } kind;
  std::string key, what, version;  // what: the package, or the directory
};
struct ModuleOptions {
  std::string root_dir = ".", data_dir = ".terraform", test_dir = "tests";
  bool upgrade = false;
  config::EarlyInputs early;  // for sources that are not constant
  std::function<void(const ModuleEvent&)> event = [](const ModuleEvent&) {};
};
// False after errors.
bool install_modules(SourceTable& sources, const ModuleOptions& options, Http& http, Services& services,
                     Diagnostics& diags);
// Whether the configuration calls any module at all, or a run of its tests takes one.
bool calls_modules(SourceTable& sources, const std::string& root_dir, const std::string& test_dir);

// -from-module: copies the package into the (empty) directory.
Result<void> copy_module(const std::string& source, const std::string& to, const std::string& data_dir,
                         Http& http, Services& services);

}  // namespace xplan::install
