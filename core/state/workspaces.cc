// Workspaces of a local backend: valid names, listing, selecting, creating, removing, and the path of each
// one's state. Declared in store.h.
#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/state/lock.h"
#include "core/state/store.h"

namespace xplan {

// The characters that need no escape in a path of a URL. "." and ".." would lead out of the directory of
// workspaces.
bool valid_workspace_name(const std::string& name) {
  if (name.empty() || name == "." || name == "..") return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.~$&+:=@").find(c) != std::string_view::npos;
  });
}

bool Workspaces::overridden() const {
  const char* env = std::getenv("TF_WORKSPACE");
  return env && *env;
}

std::string Workspaces::current() const {
  if (overridden()) return std::getenv("TF_WORKSPACE");
  auto text = real_fs().read(join_path(data_dir, "environment"));
  if (!text.ok()) return "default";
  const std::string_view name = trimmed(*text);
  return name.empty() ? "default" : std::string(name);
}

std::vector<std::string> Workspaces::list() const {
  std::vector<std::string> out;
  if (DIR* d = ::opendir(workspace_dir.c_str())) {
    while (struct dirent* e = ::readdir(d)) {
      std::string name = e->d_name;
      if (name != "default" && valid_workspace_name(name) && real_fs().is_dir(join_path(workspace_dir, name)))
        out.push_back(name);
    }
    ::closedir(d);
  }
  std::sort(out.begin(), out.end());
  out.insert(out.begin(), "default");
  return out;
}

bool Workspaces::exists(const std::string& name) const {
  return name == "default" ||
         (valid_workspace_name(name) && real_fs().is_dir(join_path(workspace_dir, name)));
}

namespace {
Error absent(const std::string& name) {
  return Error{"Workspace \"" + name +
               "\" doesn't exist. Create it with \"workspace new\", or select it with -or-create"};
}
Error bad_name(const std::string& name) {
  return Error{"The workspace name \"" + name +
               "\" is not valid: it is used in paths, so it can contain only letters, digits and the "
               "characters - _ . ~ $ & + : = @, and it cannot be . or .."};
}
}  // namespace

Result<void> Workspaces::select(const std::string& name) const {
  if (overridden())
    return Error{
        "The environment variable TF_WORKSPACE selects the workspace and overrides any other selection. "
        "Change or unset it"};
  if (!valid_workspace_name(name)) return bad_name(name);
  if (!exists(name)) return absent(name);
  if (auto r = make_folders(data_dir); !r.ok()) return r.error();
  return write_atomic(join_path(data_dir, "environment"), name);
}

Result<void> Workspaces::create(const std::string& name) const {
  if (overridden())
    return Error{
        "The environment variable TF_WORKSPACE selects the workspace, so the new one could not be selected. "
        "Unset it"};
  if (!valid_workspace_name(name)) return bad_name(name);
  if (exists(name)) return Error{"Workspace \"" + name + "\" already exists"};
  if (auto r = make_folders(join_path(workspace_dir, name)); !r.ok()) return r.error();
  return select(name);
}

Result<void> Workspaces::remove(const std::string& name) const {
  if (name == "default") return Error{"The workspace \"default\" cannot be deleted"};
  if (!valid_workspace_name(name)) return bad_name(name);
  if (!exists(name)) return absent(name);
  if (name == current())
    return Error{"Workspace \"" + name + "\" is currently selected. Select another one before deleting it"};
  std::string dir = join_path(workspace_dir, name);
  auto one = [](const char* path, const struct stat*, int, struct FTW*) { return ::remove(path); };
  if (::nftw(dir.c_str(), one, 16, FTW_DEPTH | FTW_PHYS) != 0)
    return system_problem("remove the directory", dir, errno);
  return {};
}

std::string Workspaces::state_path(const std::string& name, const std::string& default_path) const {
  return name == "default" ? default_path : join_path(join_path(workspace_dir, name), "terraform.tfstate");
}

}  // namespace xplan
