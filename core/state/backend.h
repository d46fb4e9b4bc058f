// Where a configuration keeps its states: the settings of its backend, and what init recorded of them in
// DATA_DIR/terraform.tfstate.
//
// Who calls it: cmd. Contract: the record is the file that the field's tools write there, so any of them can
// go on with a working directory that another one initialized. Settings decide where states are only once
// they are recorded: a changed backend block must never make existing objects look like none. Cost: one small
// file.  Thread-safety: pure functions and one file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/state/store.h"

namespace xplan {

// Settings of the backend "local"; nothing: not set.
struct Backend {
  std::optional<std::string> path, workspace_dir;
  bool operator==(const Backend&) const = default;
  std::string json() const;  // all settings, null where not set
  uint32_t hash() const;     // of the block as it stands in the configuration
  Workspaces workspaces(std::string data_dir) const;
  std::string state_path(const Workspaces& w, const std::string& workspace) const;
};
Result<Backend> parse_backend(const std::string& json);

struct BackendRecord {
  std::string type;         // "local", or what another tool has set up
  Backend settings;         // of "local"
  uint32_t block_hash = 0;  // hash() of the block; settings may have come from elsewhere
};
// Nothing: the default, which is not recorded.
Result<std::optional<BackendRecord>> read_backend_record(const std::string& data_dir);
Result<void> write_backend_record(const std::string& data_dir, const std::optional<BackendRecord>& r);

}  // namespace xplan
