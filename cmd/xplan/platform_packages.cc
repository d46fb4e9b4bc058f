// The part that providers lock and providers mirror have in common: reads their -platform options, finds out
// which providers the configuration requires and which one version of each is taken for all platforms, and
// words the errors about a single package.
#include "cmd/xplan/platform_packages.h"

#include <fmt/format.h>

#include <filesystem>

#include "cmd/xplan/state_access.h"
#include "core/base/command_line.h"
#include "core/install/renamed_locks.h"

namespace xplan::cmd {
namespace {

using install::Platform;
using install::Requirement;

bool parse_platforms(Session& s, const std::vector<std::string>& texts, std::vector<Platform>& out) {
  for (const std::string& t : texts) {
    Platform p;
    if (install::parse_platform(t, p))
      out.push_back(p);
    else
      s.diags.error(
          "Invalid platform",
          fmt::format("\"{}\" is not a valid platform. Write linux_amd64 or darwin_arm64, for example.", t));
  }
  if (texts.empty()) out.push_back(install::this_platform());
  return !s.diags.has_errors();
}

}  // namespace

bool PlatformPackages::load(Session& s, const std::vector<std::string>& platform_texts, bool use_lock) {
  if (!parse_platforms(s, platform_texts, platforms)) return false;
  auto c = s.load_config(true);
  StateFlags sf;
  sf.lock = false;
  Opened o;
  if (s.diags.has_errors() || !open_selected_state(s, sf, "providers", Missing::Allowed, o)) return false;
  needed = install::requirements(*c, &o.state);
  if (!use_lock) return true;
  auto read = install::read_lock_file(s.sources, std::string(install::kLockFileName), s.diags);
  if (!read) return false;
  lock = std::move(*read);
  install::take_over_selections(lock, needed, s.diags);
  return true;
}

const PlatformPackages::Choice& PlatformPackages::choice(const Requirement& r, install::SourceSet& sources) {
  return chosen_.get(r.provider.text(), [&]() -> Choice {
    const install::LockEntry* locked = lock.find(r.provider);
    if (!locked) return sources.choose(r.provider, r.constraints);
    if (install::allowed(r.constraints, locked->version)) return sources.choose(r.provider, locked->version);
    return Error{"the dependency lock file selects version " + locked->version.text() +
                 ", but the constraints are now " + r.constraints.text() + ". Run " +
                 own_command("init -upgrade") + " to select another version"};
  });
}

void PackageJob::fail(const std::string& why) const {
  if (s.stop) return;
  tell([&session = s,
        detail = install::sentence(fmt::format("Failed to download the package of {} for {}: {}",
                                               needed.provider.display(), platform.text(), why))] {
    session.diags.error("Could not retrieve providers", detail);
  });
}

void PackageJob::fail_to_select(const std::string& why) const {
  if (s.stop) return;
  tell([&session = s, &p = needed.provider, why] { install::report_no_version(p, why, session.diags); });
}

Result<install::TemporaryDir> download_dir(Session& s) {
  const bool there = real_fs().is_dir(s.data_dir);
  return install::TemporaryDir::beside(
      there ? s.data_dir + "/download" : std::filesystem::temp_directory_path().string() + "/xplan-download");
}

}  // namespace xplan::cmd
