// Which workspace is selected: DATA_DIR/environment, unless TF_WORKSPACE says otherwise.
//
// Who calls it: cmd, run, backends (valid names).  Contract: the file is the one that the reference tools
// write. Whether a workspace exists only its backend knows.  Cost: one small file.  Thread-safety: one
// thread.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan::backend {

inline constexpr std::string_view kDefaultWorkspace = "default";
// Names are used in paths, whatever the backend.
bool valid_workspace_name(std::string_view name);

struct WorkspaceSelection {
  std::string data_dir = ".terraform";
  std::string current() const;  // empty, which is not a valid name: it cannot be read
  bool overridden() const;      // by TF_WORKSPACE
  Result<void> select(const std::string& name) const;
};

}  // namespace xplan::backend
