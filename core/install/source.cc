// The directory source of provider packages, and SourceSet: which sources may serve a provider, and the
// choice of a version among what they offer. Other sources: network_mirror.cc, registry.cc.
#include "core/install/source.h"

#include <algorithm>
#include <filesystem>

#include "core/base/fs.h"
#include "core/install/requirements.h"

namespace xplan::install {
namespace {

class FilesystemSource : public ProviderSource {
 public:
  FilesystemSource(std::string dir, Platform platform)
      : dir_(std::move(dir)), platform_(std::move(platform)) {}
  std::string name(const ProviderAddr&) const override { return "the directory " + dir_; }

  Result<Available> versions(const ProviderAddr& p) override {
    auto found = packages_in_mirror(dir_, p, platform_);
    if (!found) return found.error();
    Available out;
    for (MirrorPackage& m : *found) out.versions.push_back(std::move(m.version));
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

Result<SourceSet::Choice> SourceSet::choose(const ProviderAddr& p, const VersionConstraints& wanted) {
  return choose(
      p, [&](const Version& v) { return allowed(wanted, v); },
      wanted.all.empty() ? "is not a pre-release" : "meets the constraints " + wanted.text(),
      // Who names no source gets this namespace.
      p.ns.sv() != "hashicorp"
          ? ""
          : "\nIf you meant a provider in another namespace, each module that uses it must set that in its "
            "required_providers, as in source = \"integrations/github\".\n");
}

Result<SourceSet::Choice> SourceSet::choose(const ProviderAddr& p, const Version& exactly) {
  const std::string text = exactly.text();
  return choose(
      p, [&](const Version& v) { return v.text() == text; }, "is " + text, "");
}

Result<SourceSet::Choice> SourceSet::choose(const ProviderAddr& p,
                                            const std::function<bool(const Version&)>& wanted,
                                            const std::string& what, const std::string& hint) {
  Choice best;
  bool found = false;
  std::string searched, unusable;
  std::optional<Version> newest;
  for (Entry& e : entries_) {
    if (!e.method.accepts(p)) continue;
    searched += "\n  - " + e.source->name(p);
    Result<Available> list = e.source->versions(p);
    if (!list) return list.error();
    unusable += list->unusable;
    for (const Version& v : list->versions) {
      if (!newest || compare(v, *newest) > 0) newest = v;
      if (!wanted(v)) continue;
      const auto order = found ? compare(v, best.version) : std::strong_ordering::greater;
      if (order > 0) best.version = v, best.sources.clear();
      if (order >= 0 && (best.sources.empty() || best.sources.back() != e.source.get()))
        best.sources.push_back(e.source.get());
      found = true;
    }
    best.warnings.insert(best.warnings.end(), list->warnings.begin(), list->warnings.end());
  }
  if (found) return best;
  if (newest)
    return Error{"there is no version that " + what + "; the newest one is " + newest->text() + unusable};
  if (!unusable.empty()) return Error{"there is no version that is supported here" + unusable};
  if (searched.empty())
    return Error{"no installation method of the CLI configuration applies to this provider"};
  return Error{"it was not found in any of these locations:" + searched + "\n" + hint};
}

Result<Package> SourceSet::package(const ProviderAddr& p, const Choice& c, const Platform& platform) {
  std::string problem;
  for (ProviderSource* s : c.sources) {
    Result<Package> found = s->package(p, c.version, platform);
    for (const Entry& e : entries_)
      if (found && e.source.get() == s) found->retries = e.method.retries;
    if (found) return found;
    problem += (problem.empty() ? "" : "; ") + found.error().message;
  }
  return Error{problem};
}

}  // namespace xplan::install
