// Where providers come from when the CLI configuration does not say: the installation methods of a user who
// has set nothing.
#include <cstdlib>

#include "core/base/fs.h"
#include "core/install/hosts.h"
#include "core/install/mirror_layout.h"

namespace xplan::install {

std::vector<InstallMethod> default_methods(const Environment& env) {
  auto variable = [&](const char* name) {
    const char* v = env(name);
    return std::string(v ? v : "");
  };
  std::vector<std::string> dirs{"terraform.d/plugins"};
  const std::string home = variable("HOME");
  if (!home.empty()) dirs.push_back(home + "/.terraform.d/plugins");
  std::string data = variable("XDG_DATA_HOME");
  if (data.empty() && !home.empty()) data = home + "/.local/share";
  if (const std::string set = variable("XDG_DATA_HOME");
      !set.empty() && hosts::cli_files() != hosts::CliFiles::Terraform)
    dirs.push_back(set + "/opentofu/plugins");
  if (!data.empty()) dirs.push_back(data + "/terraform/plugins");
  std::string more = variable("XDG_DATA_DIRS");
  if (more.empty()) more = "/usr/local/share:/usr/share";
  for (size_t begin = 0; begin <= more.size();) {
    const size_t end = std::min(more.find(':', begin), more.size());
    if (end > begin) dirs.push_back(more.substr(begin, end - begin) + "/terraform/plugins");
    begin = end + 1;
  }
  std::vector<InstallMethod> out;
  InstallMethod direct;
  for (const std::string& d : dirs) {
    if (!real_fs().is_dir(d)) continue;
    InstallMethod local;
    local.kind = InstallMethod::Kind::Filesystem;
    local.location = d;
    out.push_back(std::move(local));
    for (const std::string& p : providers_in_mirror(d)) direct.exclude.push_back(p);
  }
  out.push_back(std::move(direct));
  return out;
}

}  // namespace xplan::install
