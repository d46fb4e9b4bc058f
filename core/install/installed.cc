// Finds the executables of installed provider plugins and checks each package's hash against the dependency
// lock file before it may run; development overrides come first.
#include "core/install/installed.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/text.h"
#include "core/base/threads.h"
#include "core/install/hash.h"
#include "core/install/mirror_layout.h"
#include "core/provider/plugin/schema_cache.h"

namespace xplan::install {
namespace {

struct Checked {
  const Requirement* needed;
  const LockEntry* locked;
  std::string path, problem;
  bool absent = false;
};

void check_package(Checked& c, const std::string& providers_dir) {
  const ProviderAddr& p = c.needed->provider;
  const std::string version = c.locked->version.text();
  const std::string dir = package_path(providers_dir, p, version, this_platform());
  if (!real_fs().is_dir(dir)) {
    c.problem = "version " + version + " is selected, but its package is not in " + providers_dir;
    c.absent = true;
    return;
  }
  const plugin::FileHashes known(plugin::SchemaCache::default_dir());
  auto h1 = hash_directory(dir, &known);
  if (!h1) {
    c.problem = h1.error().message;
  } else if (!c.locked->hashes.count(*h1)) {
    c.problem = c.locked->hashes.empty()
                    ? "the dependency lock file has no checksums for version " + version
                    : "the package of version " + version + " in " + providers_dir +
                          " does not match any of the checksums in the dependency lock file";
  } else if (c.path = provider_program(dir, p); c.path.empty()) {
    c.problem = "the package of version " + version + " contains no program named terraform-provider-" +
                std::string(p.type.sv());
  }
}

// What the summary says of packages that are not there: tools know by these words that init helps.
std::string absent_text(const std::vector<Checked>& packages, const std::string& providers_dir) {
  const auto first =
      std::find_if(packages.begin(), packages.end(), [](const Checked& c) { return c.absent; });
  if (first == packages.end()) return "";
  const auto others = std::count_if(first + 1, packages.end(), [](const Checked& c) { return c.absent; });
  return fmt::format(": there is no package for {} {}{} cached in {}", first->needed->provider.text(),
                     first->locked->version.text(), others ? fmt::format(" and {} more", others) : "",
                     providers_dir);
}

// The line about an override whose program is not there.
std::string missing_program(const std::string& name, const std::string& dir, const ProviderAddr& p) {
  return "\n  - " + name + ": the directory " + in_quotes(dir) +
         (real_fs().is_dir(dir) ? " contains no program named terraform-provider-" + std::string(p.type.sv())
                                : std::string(" does not exist"));
}

void report_unbuilt(const std::string& list, Diagnostics& diags) {
  if (list.empty()) return;
  diags.error(
      "Missing program of a development override",
      "The CLI configuration sets directories for these providers in dev_overrides, but their programs "
      "are not there:" +
          list +
          "\n\nBuild the provider into this directory, correct the path, or remove the override to "
          "use a released version.");
}

// Whether there was something to report.
bool report_unselected(const LockFile& lock, const std::string& unselected, const std::string& outdated,
                       Diagnostics& diags) {
  if (unselected.empty() && outdated.empty()) return false;
  const std::string init = std::string(program_name()) + " init";
  diags.error(
      "Inconsistent dependency lock file",
      (lock.entries.empty() ? fmt::format("No provider versions are selected yet, because {}:",
                                          real_fs().exists(std::string(kLockFileName))
                                              ? "the dependency lock file (.terraform.lock.hcl) is empty"
                                              : "there is no dependency lock file (.terraform.lock.hcl)")
                            : "The dependency lock file does not match the configuration:") +
          unselected + outdated +
          (outdated.empty() ? "\n\nTo select versions, run:\n  " + init
                            : "\n\nTo select other versions, run:\n  " + init + " -upgrade"));
  return true;
}

}  // namespace

std::vector<PluginProgram> find_installed(const Requirements& needed, const LockFile& lock,
                                          const InstalledOptions& options, Diagnostics& diags) {
  std::vector<PluginProgram> out;
  std::vector<Checked> packages;
  std::string unselected, outdated, broken, unbuilt;
  for (const auto& [name, r] : needed) {
    if (std::find(options.attached.begin(), options.attached.end(), r.provider) != options.attached.end())
      continue;
    if (auto o = options.dev_overrides.find(name); o != options.dev_overrides.end()) {
      const std::string path = provider_program(o->second, r.provider);
      if (path.empty())
        unbuilt += missing_program(name, o->second, r.provider);
      else
        out.push_back({r.provider, path, {}});
      continue;
    }
    const LockEntry* locked = lock.find(r.provider);
    if (!locked)
      unselected += "\n  - provider " + name + ": no version is selected";
    else if (!allowed(r.constraints, locked->version))
      outdated += "\n  - provider " + name + ": version " + locked->version.text() +
                  " is selected, but the constraints are now " + in_quotes(r.constraints.text());
    else
      packages.push_back({&r, locked, {}, {}});
  }
  report_unbuilt(unbuilt, diags);
  if (report_unselected(lock, unselected, outdated, diags)) return {};
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < packages.size();)
      check_package(packages[i], options.providers_dir);
  };
  const size_t count =
      std::min<size_t>({packages.size(), std::max(1u, std::thread::hardware_concurrency()), 8});
  run_concurrently(count, [&](size_t) { work(); });
  for (Checked& c : packages) {
    if (!c.problem.empty())
      broken += "\n  - " + c.needed->provider.text() + ": " + c.problem;
    else
      out.push_back({c.needed->provider, c.path, c.locked->version.text()});
  }
  if (!broken.empty()) {
    diags.error("Required plugins are not installed" + absent_text(packages, options.providers_dir),
                "Required providers are missing or do not match the selected versions:" + broken +
                    "\n\nTo install them, run:\n  " + std::string(program_name()) + " init");
    return {};
  }
  return out;
}

void warn_of_overrides(const std::map<std::string, std::string>& overrides, bool installing,
                       Diagnostics& diags) {
  if (overrides.empty()) return;
  std::string list;
  for (const auto& [name, dir] : overrides)
    list += "\n - " + parse_provider_addr(name).value_or(ProviderAddr()).display() + " in " + dir;
  diags.warn(
      "Provider development overrides are in effect",
      "The CLI configuration sets directories from which these providers are used:" + list + "\n\n" +
          (installing
               ? "They are neither installed nor locked, so " + own_command("init") +
                     " is not required for them."
               : std::string(
                     "They may behave differently from released versions and write state that released "
                     "versions cannot read.")));
}

}  // namespace xplan::install
