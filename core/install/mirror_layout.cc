// Names and paths of provider packages in directories (packed and unpacked layout), listing what a mirror
// has, and finding the executable inside a package.
#include "core/install/mirror_layout.h"

#include <algorithm>
#include <filesystem>

#include "core/base/fs.h"

namespace xplan::install {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> folders(const std::string& dir) {
  std::vector<std::string> out;
  std::error_code ec, own;
  for (fs::directory_iterator it(dir, ec), end; !ec && it != end; it.increment(ec)) {
    std::string name = it->path().filename().string();
    if (name[0] != '.' && it->is_directory(own)) out.push_back(std::move(name));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Platform this_platform() {
#if defined(__aarch64__)
  return {"linux", "arm64"};
#else
  return {"linux", "amd64"};
#endif
}

bool parse_platform(std::string_view text, Platform& out) {
  const size_t bar = text.find('_');
  if (bar == std::string_view::npos || bar == 0 || bar + 1 == text.size()) return false;
  auto word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  out = {std::string(text.substr(0, bar)), std::string(text.substr(bar + 1))};
  return std::all_of(out.os.begin(), out.os.end(), word) &&
         std::all_of(out.arch.begin(), out.arch.end(), word);
}

std::string archive_name(const ProviderAddr& p, const std::string& version, const Platform& platform) {
  return "terraform-provider-" + std::string(p.type.sv()) + "_" + version + "_" + platform.text() + ".zip";
}

std::string package_path(const std::string& base, const ProviderAddr& p, const std::string& version,
                         const Platform& platform) {
  return base + "/" + p.text() + "/" + version + "/" + platform.text();
}

Result<std::vector<MirrorPackage>> packages_in_mirror(const std::string& base, const ProviderAddr& p,
                                                      const Platform& platform) {
  if (!real_fs().is_dir(base)) return Error{"there is no directory \"" + base + "\""};
  if (auto top = real_fs().list(base); !top) return top.error();  // a directory that one may not open
  std::vector<MirrorPackage> out;
  const std::string dir = base + "/" + p.text();
  if (!real_fs().is_dir(dir)) return out;
  for (const std::string& name : folders(dir)) {
    std::optional<Version> v = parse_version(name);
    const std::string path = dir + "/" + name + "/" + platform.text();
    if (v && real_fs().is_dir(path)) out.push_back({std::move(*v), path, false});
  }
  const std::string head = "terraform-provider-" + std::string(p.type.sv()) + "_",
                    tail = "_" + platform.text() + ".zip";
  if (auto names = real_fs().list(dir)) {
    for (const std::string& n : *names) {
      if (n.size() <= head.size() + tail.size() || !n.starts_with(head) || !n.ends_with(tail)) continue;
      std::optional<Version> v =
          parse_version(std::string_view(n).substr(head.size(), n.size() - head.size() - tail.size()));
      if (v) out.push_back({std::move(*v), dir + "/" + n, true});
    }
  }
  return out;
}

std::vector<std::string> providers_in_mirror(const std::string& base) {
  std::vector<std::string> out;
  for (const std::string& host : folders(base))
    for (const std::string& ns : folders(base + "/" + host))
      for (const std::string& type : folders(base + "/" + host + "/" + ns))
        out.push_back(host + "/" + ns + "/" + type);
  return out;
}

std::string provider_program(const std::string& dir, const ProviderAddr& p) {
  const std::string head = "terraform-provider-" + std::string(p.type.sv());
  auto names = real_fs().list(dir);
  if (!names) return {};
  for (const std::string& n : *names) {
    // Behind the name comes nothing, a version, or an ending: not the rest of another provider's name.
    if (n.starts_with(head) && (n.size() == head.size() || n[head.size()] == '_' || n[head.size()] == '.'))
      return dir + "/" + n;
  }
  return {};
}

}  // namespace xplan::install
