// providers mirror: copies provider packages into a directory that serves as a mirror.
#include <fmt/format.h>

#include <filesystem>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/platform_packages.h"
#include "core/base/system_text.h"
#include "core/base/text.h"

namespace xplan::cmd {
namespace {

// index.json and VERSION.json as network mirrors have them, made of the archives that are there.
Result<void> write_lists(const std::string& base, const ProviderAddr& p, install::Http& http) {
  const std::string dir = base + "/" + p.text(),
                    head = "terraform-provider-" + std::string(p.type.sv()) + "_";
  std::map<std::string, std::map<std::string, std::pair<std::string, std::string>>> versions;
  auto names = real_fs().list(dir);
  if (!names) return names.error();
  for (const std::string& n : *names) {
    if (!n.starts_with(head) || !n.ends_with(".zip")) continue;
    const std::string rest = n.substr(head.size(), n.size() - head.size() - 4);
    const size_t bar = rest.find('_');
    install::Platform platform;
    if (bar == std::string::npos || !parse_version(rest.substr(0, bar)) ||
        !install::parse_platform(rest.substr(bar + 1), platform))
      continue;
    install::Package local;
    local.kind = install::Package::Kind::Archive;
    local.location = dir + "/" + n;
    auto fetched = install::fetch_package(local, http, {});
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

// One job for each provider and platform, in this order; then the lists of those that are complete.
class Mirroring {
 public:
  Mirroring(Session& s, Installation& in, PlatformPackages& packages, std::string base)
      : s_(s), in_(in), packages_(packages), base_(std::move(base)) {
    for (const auto& [name, r] : packages.needed) needed_.push_back(&r);
    fetched_.resize(needed_.size());
  }

  void run() {
    const size_t platforms = packages_.platforms.size();
    install::run_jobs(needed_.size() * platforms, [&](size_t job, const install::Tell& tell) {
      if (!s_.stop) fetch(job / platforms, job % platforms, tell);
    });
    install::run_jobs(needed_.size(), [&](size_t provider, const install::Tell& tell) {
      if (s_.stop || fetched_[provider] != platforms) return;
      Result<void> ok = write_lists(base_, needed_[provider]->provider, in_.http);
      if (!ok && !s_.stop)
        tell([this, detail = ok.error().sentence()] {
          s_.diags.error("Failed to write the mirror index", detail);
        });
    });
  }

 private:
  void fetch(size_t provider, size_t platform, const install::Tell& tell) {
    const PackageJob job{s_, *needed_[provider], packages_.platforms[platform], tell};
    const ProviderAddr& p = job.needed.provider;
    if (platform == 0) say(tell, fmt::format("- Mirroring {}...", p.display()));
    const PlatformPackages::Choice& choice = packages_.choice(job.needed, in_.sources);
    if (!choice) {  // for all platforms
      if (platform == 0) job.fail_to_select(choice.error().message);
      return;
    }
    const std::string version = choice->version.text();
    if (platform == 0) say(tell, fmt::format("  - Selected v{} {}", version, reason(job.needed)));
    say(tell, fmt::format("  - Downloading package for {}...", job.platform.text()));
    auto package = in_.sources.package(p, *choice, job.platform);
    if (!package) return job.fail(package.error().message);
    const std::string final = base_ + "/" + p.text() + "/" + install::archive_name(p, version, job.platform);
    if (Result<void> ok = place(*package, final); !ok) return job.fail(ok.error().message);
    say(tell, fmt::format("  - Package authenticated: {}", package->authentication()));
    tell([this, provider] { ++fetched_[provider]; });
  }

  std::string reason(const install::Requirement& r) const {
    return packages_.lock.find(r.provider) ? "to match dependency lock file"
           : r.constraints.all.empty()     ? "with no constraints"
                                           : "to meet constraints " + r.constraints.text();
  }

  Result<void> place(const install::Package& package, const std::string& final) {
    auto work = install::TemporaryDir::beside(final);
    if (!work) return work.error();
    const std::string file = work->path() + "/package.zip";
    auto fetched = install::fetch_package(package, in_.http, file);
    if (!fetched) return fetched.error();
    if (fetched->archive.empty())
      return Error{"the package in the directory " + in_quotes(package.location) +
                   " is unpacked, but a mirror can contain only archives"};
    std::error_code ec;
    if (fetched->archive != file) std::filesystem::copy_file(fetched->archive, file, ec);  // not ours to move
    if (!ec) std::filesystem::rename(file, final, ec);
    if (ec)
      return Error{"the archive cannot be moved to " + in_quotes(final) + ": " + system_text(ec.value())};
    return {};
  }

  void say(const install::Tell& tell, std::string text) {
    tell([this, t = std::move(text)] {
      in_.tell(t);
      s_.io.flush();
    });
  }

  Session& s_;
  Installation& in_;
  PlatformPackages& packages_;
  const std::string base_;
  std::vector<const install::Requirement*> needed_;
  std::vector<size_t> fetched_;  // by provider: packages that are in their place
};

}  // namespace

int run_providers_mirror(Session& s, const Args& args) {
  std::vector<std::string> given, platforms;
  bool use_lock = true;
  Flags flags("providers mirror DIR",
              "Copies the packages of all required providers to a directory that can be used as a mirror.");
  flags.list("platform", platforms, "A platform, such as linux_amd64. May be repeated.", "OS_ARCH")
      .flag("lock-file", use_lock, "Ignore the versions in the dependency lock file.")
      .arguments(given, 1, 1, "a target directory");
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  PlatformPackages packages;
  if (!packages.load(s, platforms, use_lock)) return s.finish();
  Installation in(s, Installation::Messages::Plain);
  if (s.diags.has_errors()) return s.finish();
  in.add({});
  Mirroring(s, in, packages, given[0]).run();
  if (s.stop) install::report_interruption(s.diags);
  return s.finish();
}

}  // namespace xplan::cmd
