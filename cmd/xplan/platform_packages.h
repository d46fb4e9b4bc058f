// PlatformPackages: what `providers lock` and `providers mirror` share: packages of all required providers
// for several platforms.
//
// Who calls it: providers_lock.cc, providers_mirror.cc.
// Contract: a provider has one version for all platforms: that of the lock file, or the newest one that its
// source has for the first platform; it is asked for once, by whichever job needs it first. Problems are
// reported once, through the tell() of their job.  Thread-safety: load() belongs to one thread, the rest to
// the jobs.
#pragma once
#include <string>
#include <vector>

#include "cmd/xplan/installation.h"
#include "core/install/hosts.h"
#include "core/install/jobs.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"

namespace xplan::cmd {

struct PlatformPackages {
  std::vector<install::Platform> platforms;
  install::Requirements needed;
  install::LockFile lock;

  // False after errors, which are reported.
  bool load(Session& s, const std::vector<std::string>& platform_texts, bool use_lock);

  using Choice = Result<install::SourceSet::Choice>;
  // The version of a provider, from the sources for the first platform.
  const Choice& choice(const install::Requirement& r, install::SourceSet& sources_of_first);

 private:
  install::OnceMap<Choice> chosen_;
};

// A package of one provider for one platform, and the job that fetches it.
struct PackageJob {
  Session& s;
  const install::Requirement& needed;
  const install::Platform& platform;
  const install::Tell& tell;

  // Of the package; of the version of its provider, which is selected for all platforms.
  void fail(const std::string& why) const;
  void fail_to_select(const std::string& why) const;
};

// A directory for downloads, removed at the end.
Result<install::TemporaryDir> download_dir(Session& s);

}  // namespace xplan::cmd
