// providers lock: adds hashes for further platforms to the dependency lock file. providers mirror: copies
// provider packages into a directory that serves as a mirror.
#include <fmt/format.h>

#include <filesystem>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/installation.h"
#include "cmd/xplan/state_access.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"

namespace xplan::cmd {
namespace {

using install::LockEntry;
using install::LockFile;
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

struct Loaded {
  install::Requirements needed;
  LockFile lock;
};

bool load(Session& s, bool use_lock, Loaded& out) {
  auto c = s.load_config(true);
  StateFlags sf;
  sf.lock = false;
  Opened o;
  if (s.diags.has_errors() || !open_selected_state(s, sf, "providers", Missing::Allowed, o)) return false;
  out.needed = install::requirements(*c, &o.state);
  if (!use_lock) return true;
  auto lock = install::read_lock_file(s.sources, std::string(install::kLockFileName), s.diags);
  if (lock) out.lock = std::move(*lock);
  return lock.has_value();
}

Result<install::SourceSet::Choice> choose(install::SourceSet& sources, const Requirement& r,
                                          const LockEntry* locked) {
  if (locked && !install::allowed(r.constraints, locked->version))
    return Error{"the dependency lock file selects version " + locked->version.text() +
                 ", but the constraints are now " + r.constraints.text() +
                 ". Run init with -upgrade to select another version"};
  return locked ? sources.choose(r.provider, locked->version) : sources.choose(r.provider, r.constraints);
}

void fail(Session& s, const ProviderAddr& p, const Platform& platform, const std::string& why) {
  if (s.stop) return;
  s.diags.error("Could not retrieve providers",
                install::sentence(fmt::format("Failed to download the package of {} for {}: {}", p.display(),
                                              platform.text(), why)));
}

// A directory for downloads, removed at the end.
Result<install::TemporaryDir> work_dir(Session& s) {
  const bool there = real_fs().is_dir(s.data_dir);
  return install::TemporaryDir::beside(
      there ? s.data_dir + "/download" : std::filesystem::temp_directory_path().string() + "/xplan-download");
}

}  // namespace

int run_providers_lock(Session& s, const Args& args) {
  std::vector<std::string> only, platform_texts;
  std::string fs_mirror, net_mirror;
  bool cache = false;
  Flags flags(s.program + " providers lock [PROVIDER...]",
              "Records the checksums of provider packages for any platforms in the dependency lock file.");
  flags.text("fs-mirror", fs_mirror, "Use packages from this directory.", "DIR")
      .text("net-mirror", net_mirror, "Use packages from this network mirror.", "URL")
      .flag("enable-plugin-cache", cache, "Accepted for compatibility; packages are always downloaded.")
      .list("platform", platform_texts, "A platform, such as linux_amd64. May be repeated.", "OS_ARCH")
      .arguments(only, 0, 10000, "providers");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  if (!fs_mirror.empty() && !net_mirror.empty())
    s.diags.error("Conflicting options", "-fs-mirror and -net-mirror cannot be used together.");
  if (!net_mirror.empty() && !net_mirror.starts_with("https://"))
    s.diags.error("Invalid network mirror", "The URL of a network mirror must begin with https://.");
  std::vector<Platform> platforms;
  Loaded l;
  if (!parse_platforms(s, platform_texts, platforms) || !load(s, true, l)) return s.finish();
  Installation in(s);
  if (!only.empty()) {
    install::Requirements chosen;
    for (const std::string& text : only) {
      auto p = parse_provider_addr(text);
      auto it = p ? l.needed.find(p->text()) : l.needed.end();
      if (it == l.needed.end())
        s.diags.error("Invalid provider argument",
                      fmt::format("\"{}\" is not a provider that the configuration requires.", text));
      else
        chosen.insert(*it);
    }
    l.needed = std::move(chosen);
  }
  auto work = work_dir(s);
  if (!work) s.diags.error("No directory for downloads", work.error().sentence());
  if (s.diags.has_errors()) return s.finish();
  LockFile after = l.lock;
  for (const Platform& platform : platforms) {
    install::SourceSet sources;
    if (!fs_mirror.empty())
      sources.add({install::InstallMethod::Kind::Filesystem, fs_mirror, {}, {}},
                  install::filesystem_source(fs_mirror, platform));
    else if (!net_mirror.empty())
      sources.add({}, install::network_source(net_mirror.ends_with('/') ? net_mirror : net_mirror + "/",
                                              in.http, in.services));
    else
      sources.add({}, install::registry_source(in.services));
    for (const auto& [name, r] : l.needed) {
      if (s.stop) break;
      const LockEntry* locked = after.find(r.provider);
      auto choice = choose(sources, r, locked);
      if (!choice) {
        fail(s, r.provider, platform, choice.error().message);
        continue;
      }
      const std::string version = choice->version.text();
      in.tell(fmt::format("- Fetching {} {} for {}...", r.provider.display(), version, platform.text()));
      s.io.flush();
      auto package = sources.package(r.provider, *choice, platform);
      auto fetched = package ? install::fetch_package(*package, in.http, work->path() + "/package.zip")
                             : Result<install::FetchedPackage>(package.error());
      if (!fetched) {
        fail(s, r.provider, platform, fetched.error().message);
        continue;
      }
      in.tell(fmt::format("- Retrieved {} {} for {} ({})", r.provider.display(), version, platform.text(),
                          package->authentication()));
      LockEntry& e = after.entries[name];
      e.provider = r.provider;
      e.version = choice->version;
      e.constraints = r.constraints.text();
      e.hashes.insert(fetched->h1);
      e.hashes.insert(package->lock_hashes.begin(), package->lock_hashes.end());
    }
  }
  if (s.stop) install::report_interruption(s.diags);
  if (s.diags.has_errors()) return s.finish();
  if (after == l.lock) {
    s.io.out("\nThe dependency lock file already has all of these checksums.\n");
  } else if (install::write_lock_file(after, std::string(install::kLockFileName), s.diags)) {
    s.io.out(
        "\nThe dependency lock file .terraform.lock.hcl has changed. Review the changes, and commit them "
        "to\nversion control.\n");
  }
  return s.finish();
}

namespace {

// index.json and VERSION.json as network mirrors have them, made of the archives that are there.
Result<void> write_lists(const std::string& base, const ProviderAddr& p) {
  const std::string dir = base + "/" + p.text(),
                    head = "terraform-provider-" + std::string(p.type.sv()) + "_";
  std::map<std::string, std::map<std::string, std::pair<std::string, std::string>>> versions;
  auto names = real_fs().list(dir);
  if (!names) return names.error();
  for (const std::string& n : *names) {
    if (!n.starts_with(head) || !n.ends_with(".zip")) continue;
    const std::string rest = n.substr(head.size(), n.size() - head.size() - 4);
    const size_t bar = rest.find('_');
    Platform platform;
    if (bar == std::string::npos || !parse_version(rest.substr(0, bar)) ||
        !install::parse_platform(rest.substr(bar + 1), platform))
      continue;
    install::Package local;
    local.kind = install::Package::Kind::Archive;
    local.location = dir + "/" + n;
    install::Http unused;
    auto fetched = install::fetch_package(local, unused, {});
    if (!fetched) return fetched.error();
    versions[rest.substr(0, bar)][platform.text()] = {n, fetched->h1};
  }
  JsonWriter index(2);
  index.begin_object();
  index.key("versions");
  index.begin_object();
  for (const auto& [version, archives] : versions) {
    index.key(version);
    index.begin_object();
    index.end_object();
    JsonWriter w(2);
    w.begin_object();
    w.key("archives");
    w.begin_object();
    for (const auto& [platform, archive] : archives) {
      w.key(platform);
      w.begin_object();
      w.key("hashes");
      w.begin_array();
      w.string(archive.second);
      w.end_array();
      w.member("url", archive.first);
      w.end_object();
    }
    w.end_object();
    w.end_object();
    if (Result<void> ok = write_atomic(dir + "/" + version + ".json", w.text()); !ok) return ok;
  }
  index.end_object();
  index.end_object();
  return write_atomic(dir + "/index.json", index.text());
}

}  // namespace

int run_providers_mirror(Session& s, const Args& args) {
  std::vector<std::string> given, platform_texts;
  bool use_lock = true;
  Flags flags(s.program + " providers mirror DIR",
              "Copies the packages of all required providers to a directory that can be used as a mirror.");
  flags.list("platform", platform_texts, "A platform, such as linux_amd64. May be repeated.", "OS_ARCH")
      .flag("lock-file", use_lock, "Ignore the versions in the dependency lock file.")
      .arguments(given, 1, 1, "the directory");
  if (std::optional<int> code = s.parse(flags, args)) return *code;
  std::vector<Platform> platforms;
  Loaded l;
  if (!parse_platforms(s, platform_texts, platforms) || !load(s, use_lock, l)) return s.finish();
  Installation in(s);
  if (s.diags.has_errors()) return s.finish();
  in.add({});
  for (const auto& [name, r] : l.needed) {
    if (s.stop) break;
    const LockEntry* locked = l.lock.find(r.provider);
    in.tell(fmt::format("- Mirroring {}...", r.provider.display()));
    auto choice = choose(in.sources, r, locked);
    if (!choice) {
      fail(s, r.provider, platforms[0], choice.error().message);
      continue;
    }
    const std::string version = choice->version.text();
    in.tell(fmt::format("  - Selected v{} {}", version,
                        locked                      ? "to match dependency lock file"
                        : r.constraints.all.empty() ? "with no constraints"
                                                    : "to meet constraints " + r.constraints.text()));
    for (const Platform& platform : platforms) {
      if (s.stop) break;
      in.tell(fmt::format("  - Downloading package for {}...", platform.text()));
      s.io.flush();
      const std::string final =
          given[0] + "/" + r.provider.text() + "/" + install::archive_name(r.provider, version, platform);
      auto work = install::TemporaryDir::beside(final);
      auto package = in.sources.package(r.provider, *choice, platform);
      if (!work || !package) {
        fail(s, r.provider, platform, !work ? work.error().message : package.error().message);
        continue;
      }
      const std::string file = work->path() + "/package.zip";
      auto fetched = install::fetch_package(*package, in.http, file);
      std::error_code ec;
      if (fetched) std::filesystem::rename(file, final, ec);
      if (!fetched || ec) {
        fail(s, r.provider, platform, fetched ? ec.message() : fetched.error().message);
        continue;
      }
      in.tell(fmt::format("  - Package authenticated: {}", package->authentication()));
    }
    if (s.diags.has_errors()) continue;
    if (Result<void> ok = write_lists(given[0], r.provider); !ok)
      s.diags.error("Failed to write the mirror index", ok.error().sentence());
  }
  if (s.stop) install::report_interruption(s.diags);
  return s.finish();
}

}  // namespace xplan::cmd
