// providers lock: adds hashes for further platforms to the dependency lock file.
#include <fmt/format.h>
#include <unistd.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/platform_packages.h"

namespace xplan::cmd {
namespace {

using install::LockEntry;
using install::LockFile;
using install::SourceSet;

struct LockFlags {
  std::vector<std::string> only, platforms;
  std::string fs_mirror, net_mirror, oci_mirror;

  void add(Flags& f) {
    f.text("fs-mirror", fs_mirror, "Use packages from this directory.", "DIR")
        .text("net-mirror", net_mirror, "Use packages from this network mirror.", "URL")
        .text("oci-mirror", oci_mirror,
              "Use packages from OCI repositories such as 'example.com/${namespace}/${type}'.", "TEMPLATE")
        .accepted_flag("enable-plugin-cache")  // packages are always downloaded
        .list("platform", platforms, "A platform, such as linux_amd64. May be repeated.", "OS_ARCH")
        .arguments(only, 0, 10000, "providers");
  }

  void check(Session& s) const {
    if (!fs_mirror.empty() + !net_mirror.empty() + !oci_mirror.empty() > 1)
      s.diags.error("Incompatible command line options",
                    "-fs-mirror, -net-mirror and -oci-mirror cannot be used together.");
    if (const std::string problem =
            oci_mirror.empty() ? "" : hosts::oci_template_problem(oci_mirror, {"registry.terraform.io/*/*"});
        !problem.empty())
      s.diags.error("Invalid option value", fmt::format("The template of -oci-mirror {}.", problem));
    if (!net_mirror.empty() && !net_mirror.starts_with("https://"))
      s.diags.error("Invalid network mirror", "The URL of a network mirror must begin with https://.");
  }

  // A directory is asked for the packages of one platform, so each has sources of its own.
  SourceSet sources(Installation& in, const install::Platform& platform) const {
    SourceSet out;
    if (!fs_mirror.empty())
      out.add({install::InstallMethod::Kind::Filesystem, fs_mirror, {}, {}},
              install::filesystem_source(fs_mirror, platform));
    else if (!oci_mirror.empty())
      out.add({}, install::oci_source(oci_mirror, in.settings.oci, in.http));
    else if (!net_mirror.empty())
      out.add({}, install::network_source(net_mirror.ends_with('/') ? net_mirror : net_mirror + "/", in.http,
                                          in.services));
    else
      out.add({}, install::registry_source(in.services));
    return out;
  }
};

install::Requirements only_these(Session& s, const install::Requirements& all,
                                 const std::vector<std::string>& names) {
  install::Requirements out;
  for (const std::string& text : names) {
    auto p = parse_provider_addr(text);
    auto it = p ? all.find(p->text()) : all.end();
    if (it == all.end())
      s.diags.error("Invalid provider argument",
                    fmt::format("\"{}\" is not a provider that the configuration requires.", text));
    else
      out.insert(*it);
  }
  return out;
}

// One job for each platform and provider, in this order.
class Locking {
 public:
  Locking(Session& s, Installation& in, PlatformPackages& packages, const LockFlags& flags,
          const std::string& work)
      : s_(s), in_(in), packages_(packages), work_(work), after_(packages.lock) {
    for (const install::Platform& p : packages.platforms) sources_.push_back(flags.sources(in, p));
    for (const auto& [name, r] : packages.needed) needed_.push_back(&r);
  }

  LockFile run() {
    install::run_jobs(sources_.size() * needed_.size(), [this](size_t job, const install::Tell& tell) {
      if (!s_.stop) fetch(job, tell);
    });
    return std::move(after_);
  }

 private:
  void fetch(size_t number, const install::Tell& tell) {
    const size_t platform = number / needed_.size();
    const PackageJob job{s_, *needed_[number % needed_.size()], packages_.platforms[platform], tell};
    const PlatformPackages::Choice& first = packages_.choice(job.needed, sources_[0]);
    if (!first) {  // for all platforms
      if (platform == 0) job.fail_to_select(first.error().message);
      return;
    }
    const PlatformPackages::Choice choice =
        platform == 0 ? first : sources_[platform].choose(job.needed.provider, first->version);
    if (!choice) return job.fail(choice.error().message);
    const std::string what = fmt::format("{} {} for {}", job.needed.provider.display(),
                                         choice->version.text(), job.platform.text());
    say(tell, fmt::format("- Fetching {}...", what));
    auto package = sources_[platform].package(job.needed.provider, *choice, job.platform);
    if (!package) return job.fail(package.error().message);
    const std::string file = work_ + "/package-" + std::to_string(number) + ".zip";
    auto fetched = install::fetch_package(*package, in_.http, file);
    ::unlink(file.c_str());
    if (!fetched) return job.fail(fetched.error().message);
    say(tell, fmt::format("- Retrieved {} ({})", what, package->authentication()));
    package->lock_hashes.insert(fetched->h1);
    tell([this, &r = job.needed, v = choice->version, h = std::move(package->lock_hashes)] {
      record(r, v, h);
    });
  }

  void say(const install::Tell& tell, std::string text) {
    tell([this, t = std::move(text)] {
      in_.tell(t);
      s_.io.flush();
    });
  }

  void record(const install::Requirement& r, const Version& v, const std::set<std::string>& hashes) {
    LockEntry& e = after_.entries[r.provider.text()];
    e.provider = r.provider;
    e.version = v;
    e.constraints = r.constraints.text();
    e.hashes.insert(hashes.begin(), hashes.end());
  }

  Session& s_;
  Installation& in_;
  PlatformPackages& packages_;
  const std::string work_;
  std::vector<SourceSet> sources_;  // by platform
  std::vector<const install::Requirement*> needed_;
  LockFile after_;
};

void save(Session& s, const LockFile& before, const LockFile& after) {
  auto tell = [&](const std::string& text) { s.tell("\n" + text, {}, text); };
  if (after == before)
    tell(after.entries.empty()
             ? "The configuration requires no providers that are installed, so there are no "
               "checksums to record."
             : "The dependency lock file already has all of these checksums.");
  else if (install::write_lock_file(after, std::string(install::kLockFileName), s.diags))
    tell(
        "The dependency lock file .terraform.lock.hcl has changed. Review the changes, and commit them "
        "to\nversion control.");
}

}  // namespace

int run_providers_lock(Session& s, const Args& args) {
  LockFlags f;
  Flags flags(
      "providers lock [PROVIDER...]",
      "Records the checksums of provider packages for one or more platforms in the dependency lock file.");
  f.add(flags);
  if (std::optional<int> code = s.parse_telling(flags, args)) return *code;
  f.check(s);
  PlatformPackages packages;
  if (!packages.load(s, f.platforms, true)) return s.finish();
  Installation in(s, Installation::Messages::Plain);
  if (!f.only.empty()) packages.needed = only_these(s, packages.needed, f.only);
  auto work = download_dir(s);
  if (!work) s.diags.error("Failed to create a directory for downloads", work.error().sentence());
  if (s.diags.has_errors()) return s.finish();
  const LockFile after = Locking(s, in, packages, f, work->path()).run();
  if (s.stop) install::report_interruption(s.diags);
  if (!s.diags.has_errors()) save(s, packages.lock, after);
  return s.finish();
}

}  // namespace xplan::cmd
