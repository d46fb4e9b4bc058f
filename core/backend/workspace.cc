// The selected workspace: reading and writing the file that names it.
#include "core/backend/workspace.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/state/lock.h"

namespace xplan::backend {

// The characters that need no escape in a path of a URL. "." and ".." would lead outside of the directory of
// workspaces.
bool valid_workspace_name(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.~$&+:=@").find(c) != std::string_view::npos;
  });
}

bool WorkspaceSelection::overridden() const {
  const char* env = std::getenv("TF_WORKSPACE");
  return env && *env;
}

std::string WorkspaceSelection::current() const {
  if (overridden()) return std::getenv("TF_WORKSPACE");
  const std::string path = join_path(data_dir, "environment");
  auto text = real_fs().read(path);
  if (!text && real_fs().exists(path))
    return {};  // another workspace than the selected one is worse than none
  const std::string_view name = text ? trimmed(*text) : std::string_view();
  return std::string(name.empty() ? kDefaultWorkspace : name);
}

Result<void> WorkspaceSelection::select(const std::string& name) const {
  if (auto r = make_folders(data_dir); !r.ok()) return r.error();
  return write_atomic(join_path(data_dir, "environment"), name);
}

}  // namespace xplan::backend
