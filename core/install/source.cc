#include "core/install/source.h"

#include <algorithm>
#include <filesystem>

#include "core/base/fs.h"

namespace xplan::install {
namespace {

class FilesystemSource : public ProviderSource {
 public:
  FilesystemSource(std::string dir, Platform platform)
      : dir_(std::move(dir)), platform_(std::move(platform)) {}
  std::string name() const override { return "the folder " + dir_; }

  Result<std::vector<Available>> versions(const ProviderAddr& p) override {
    auto found = packages_in_mirror(dir_, p, platform_);
    if (!found) return found.error();
    std::vector<Available> out;
    for (MirrorPackage& m : *found) out.push_back({m.version, m.version.text()});
    return out;
  }

  Result<Package> package(const ProviderAddr& p, const Version& v, const Platform& platform) override {
    auto found = packages_in_mirror(dir_, p, platform);
    if (!found) return found.error();
    for (const MirrorPackage& m : *found) {
      if (m.version.text() != v.text()) continue;
      Package out;
      out.kind = m.packed ? Package::Kind::Archive : Package::Kind::Folder;
      std::error_code ec;
      out.location = std::filesystem::absolute(m.path, ec).lexically_normal().string();
      if (ec) out.location = m.path;
      return out;
    }
    return Error{"there is no package of version " + v.text() + " for " + platform.text() + " in " + dir_};
  }

 private:
  std::string dir_;
  Platform platform_;
};

}  // namespace

std::string Package::authentication() const {
  return !signer.empty() ? signer : hashes.empty() ? "unauthenticated" : "verified checksum";
}

std::unique_ptr<ProviderSource> filesystem_source(std::string dir, Platform platform) {
  return std::make_unique<FilesystemSource>(std::move(dir), std::move(platform));
}

void SourceSet::add(InstallMethod method, std::unique_ptr<ProviderSource> source) {
  entries_.push_back({std::move(method), std::move(source)});
}

Result<SourceSet::Choice> SourceSet::choose(const ProviderAddr& p,
                                            const std::function<bool(const Version&)>& wanted,
                                            const std::string& wanted_text) {
  Choice best;
  bool found = false, any = false;
  std::string searched, newest_text;
  std::optional<Version> newest;
  for (Entry& e : entries_) {
    if (!e.method.accepts(p)) continue;
    searched += "\n  - " + e.source->name();
    Result<std::vector<Available>> list = e.source->versions(p);
    if (!list) return list.error();
    for (const Available& a : *list) {
      any = true;
      if (!newest || compare(a.version, *newest) > 0) newest = a.version;
      if (!wanted(a.version)) continue;
      const auto order = found ? compare(a.version, best.version) : std::strong_ordering::greater;
      if (order > 0) best.version = a.version, best.sources.clear();
      if (order >= 0 && (best.sources.empty() || best.sources.back() != e.source.get()))
        best.sources.push_back(e.source.get());
      found = true;
    }
  }
  if (found) return best;
  if (any)
    return Error{"no version is available that meets the constraints " + wanted_text +
                 "; the newest one is " + newest->text()};
  if (searched.empty()) return Error{"no installation method of the CLI configuration is for this provider"};
  return Error{"it was not found in any of these places:" + searched + "\n"};
}

Result<Package> SourceSet::package(const ProviderAddr& p, const Choice& c, const Platform& platform) {
  std::string problem;
  for (ProviderSource* s : c.sources) {
    Result<Package> found = s->package(p, c.version, platform);
    if (found) return found;
    problem += (problem.empty() ? "" : "; ") + found.error().message;
  }
  return Error{problem};
}

}  // namespace xplan::install
