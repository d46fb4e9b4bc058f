// Installs required providers: chooses a version by lock file and constraints, uses the plugin cache,
// fetches, verifies, unpacks or links, several concurrently, and records new lock file entries.
#include "core/install/provider_install.h"

#include <algorithm>
#include <filesystem>

#include "core/base/command_line.h"
#include "core/base/digest.h"
#include "core/base/fs.h"
#include "core/install/archive.h"
#include "core/install/hash.h"
#include "core/install/jobs.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"
#include "core/provider/plugin/schema_cache.h"

namespace xplan::install {
namespace {

namespace fs = std::filesystem;
using EventKind = InstallEvent::Kind;

class ProviderInstaller {
 public:
  ProviderInstaller(const LockFile& lock, SourceSet& sources, Http& http, const InstallOptions& o,
                    Diagnostics& d)
      : lock_(lock), sources_(sources), http_(http), options_(o), diags_(d) {}

  InstallResult run(const Requirements& needed) {
    std::vector<Selection> all;
    for (const auto& [name, r] : needed) all.push_back(Selection{r, lock_.find(r.provider)});
    for_each(all, &ProviderInstaller::select);
    for_each(all, &ProviderInstaller::install);
    // Only now: while others are installed, they may count on the directories.
    for (const Selection& s : all)
      if (s.selected && !s.installed) remove_empty_dirs(path_of(s), options_.providers_dir);
    if (http_.stopped()) report_interruption(diags_);
    return std::move(out_);
  }

 private:
  struct Selection {
    const Requirement& needed;
    const LockEntry* locked;  // of the selected version; null when there is none
    Version version{};
    std::optional<SourceSet::Choice> choice{};
    bool selected = false, installed = false;
    const Tell* tell = nullptr;  // of the job under way
  };

  // What a step says and records goes through the tell() of its job, and so comes in one order.
  void for_each(std::vector<Selection>& all, void (ProviderInstaller::*step)(Selection&)) {
    run_jobs(all.size(), [&](size_t i, const Tell& tell) {
      if (http_.stopped()) return;
      all[i].tell = &tell;
      (this->*step)(all[i]);
    });
  }

  void event(EventKind kind, const Selection& s, std::string text, std::string authentication = {}) {
    (*s.tell)([this, e = InstallEvent{kind, s.needed.provider, std::move(text), std::move(authentication)}] {
      options_.event(e);
    });
  }

  void problem(const Selection& s, const char* summary, std::string detail) {
    if (http_.stopped()) return;
    (*s.tell)([this, summary, d = std::move(detail)] { diags_.error(summary, d); });
  }

  void unavailable(const Selection& s, const std::string& why) {
    if (http_.stopped()) return;
    (*s.tell)([this, p = s.needed.provider, why] { report_no_version(p, why, diags_); });
  }

  void warn(const Selection& s) {
    for (const std::string& w : s.choice->warnings)
      (*s.tell)([this, text = "The registry returned this message about " + s.needed.provider.display() +
                              ": " +
                              w] { diags_.warn("Additional provider information from registry", text); });
  }

  void select(Selection& s) {
    const VersionConstraints& wanted = s.needed.constraints;
    if (s.locked && !options_.upgrade) {
      if (!allowed(wanted, s.locked->version)) {
        return unavailable(s, "the dependency lock file selects version " + s.locked->version.text() +
                                  ", but the constraints are now " + wanted.text() + ". Run " +
                                  own_command("init -upgrade") + " to select another version");
      }
      s.version = s.locked->version;
      event(EventKind::Reusing, s, s.version.text());
      s.selected = true;
      return;
    }
    event(EventKind::Finding, s, wanted.text());
    auto choice = sources_.choose(s.needed.provider, wanted);
    if (!choice) return unavailable(s, choice.error().message);
    s.version = choice->version;
    if (s.locked && s.locked->version.text() != s.version.text()) s.locked = nullptr;
    s.choice = std::move(*choice);
    warn(s);
    s.selected = true;
  }

  void install(Selection& s) {
    if (!s.selected) return;
    Result<void> ok = provide(s);
    if (!ok)
      problem(s, "Failed to install provider",
              sentence(s.needed.provider.display() + " v" + s.version.text() +
                       " cannot be installed: " + ok.error().message));
    s.installed = ok.ok();
  }

  std::string path_of(const Selection& s) const {
    return package_path(options_.providers_dir, s.needed.provider, s.version.text(), platform_);
  }

  Result<void> provide(Selection& s) {
    const ProviderAddr& p = s.needed.provider;
    const std::string version = s.version.text();
    const std::string final = path_of(s);
    if (s.locked && real_fs().is_dir(final)) {
      auto h1 = hash_directory(final, &known_, http_.stop);
      if (h1 && s.locked->hashes.count(*h1)) {
        event(EventKind::Previous, s, version);
        record(s, *s.locked);
        return {};
      }
    }
    const std::string cached =
        options_.cache_dir.empty() ? "" : package_path(options_.cache_dir, p, version, platform_);
    if (!cached.empty() && real_fs().is_dir(cached)) {
      auto h1 = hash_directory(cached, &known_, http_.stop);
      const bool known = h1 && s.locked && s.locked->hashes.count(*h1);
      const bool trusted = h1 && options_.cache_may_break_lock && (!s.locked || s.locked->hashes.empty());
      if (known || trusted) {
        if (Result<void> ok = place_link(absolute(cached), final); !ok) return ok;
        event(EventKind::Cached, s, version);
        record(s, entry(s, {*h1}));
        return {};
      }
    }
    if (!s.choice) {
      auto choice = sources_.choose(p, s.version);
      if (!choice) return Error{"the dependency lock file selects it, but " + choice.error().message};
      s.choice = std::move(*choice);
      warn(s);
    }
    if (!cached.empty())
      if (Result<void> ok = make_dirs(std::filesystem::path(cached).parent_path().string()); !ok)
        return Error{"the plugin cache directory \"" + options_.cache_dir +
                     "\" (TF_PLUGIN_CACHE_DIR or plugin_cache_dir) cannot be used: " + ok.error().message};
    event(EventKind::Installing, s, version);
    auto package = sources_.package(p, *s.choice, platform_);
    if (!package) return package.error();
    const std::string target = cached.empty() ? final : cached;
    auto h1 =
        package->kind == Package::Kind::Folder ? link(s, *package, target) : unpack_to(s, *package, target);
    if (!h1) return h1.error();
    if (!cached.empty()) {
      if (Result<void> ok = place_link(absolute(cached), final); !ok) return ok;
    }
    std::set<std::string> hashes = package->lock_hashes;
    hashes.insert(*h1);
    const bool alone =
        std::none_of(hashes.begin(), hashes.end(), [](const std::string& h) { return h.starts_with("zh:"); });
    if (alone && !(s.locked && s.locked->hashes.count(*h1)))
      (*s.tell)([this, &p] { out_.only_this_platform.push_back(p.display()); });
    record(s, entry(s, std::move(hashes)));
    event(EventKind::Installed, s, version, package->authentication());
    return {};
  }

  // As text only: what the cache has may itself be a link, which another tool may replace.
  static std::string absolute(const std::string& path) {
    std::error_code ec;
    const fs::path full = fs::absolute(path, ec);
    return ec ? path : full.lexically_normal().string();
  }

  static Result<void> check_source(const Package& p, const std::string& h1, const std::string& zh) {
    if (p.hashes.empty() || hash_matches(p.hashes, h1, zh)) return {};
    return Error{
        "the package from " + p.location +
        " does not have the checksum that its source states, so it was damaged or replaced in transit"};
  }
  Result<void> check(const Selection& s, const Package& p, const std::string& h1, const std::string& zh) {
    if (Result<void> ok = check_source(p, h1, zh); !ok) return ok;
    if (s.locked && !s.locked->hashes.empty() && !hash_matches(s.locked->hashes, h1, zh))
      return Error{"the package from " + p.location +
                   " does not match any of the checksums that the dependency lock file has for this version. "
                   "Either the package was changed, or it was locked only on another platform: " +
                   own_command("providers lock") + " adds the checksums of other platforms"};
    return {};
  }

  static Result<void> has_program(const Selection& s, const Package& p, const std::string& dir) {
    if (!provider_program(dir, s.needed.provider).empty()) return {};
    return Error{"the package from " + p.location + " contains no program named terraform-provider-" +
                 std::string(s.needed.provider.type.sv())};
  }

  Result<std::string> link(const Selection& s, const Package& p, const std::string& target) {
    auto h1 = hash_directory(p.location, &known_, http_.stop);
    if (!h1) return h1;
    if (Result<void> ok = check(s, p, *h1, {}); !ok) return ok.error();
    if (Result<void> ok = has_program(s, p, p.location); !ok) return ok.error();
    // A cache may be the mirror itself: a link would take the place of the package.
    std::error_code ec;
    if (fs::equivalent(p.location, target, ec)) return h1;
    if (Result<void> ok = place_link(p.location, target); !ok) return ok.error();
    return h1;
  }

  // Before anything is unpacked: by the checksum of the archive where that tells, else by those of the files
  // in it.
  Result<void> check_packed(const Selection& s, const Package& p, const std::string& archive,
                            const std::string& zh) {
    auto tells = [&](const std::set<std::string>& hashes) {
      return hashes.count(zh) || std::none_of(hashes.begin(), hashes.end(),
                                              [](const std::string& h) { return h.starts_with("h1:"); });
    };
    if (tells(p.hashes) && (!s.locked || tells(s.locked->hashes))) return check(s, p, {}, zh);
    auto files = hash_files_in(archive, http_.stop);
    if (!files) return Error{files.error().message + " (package " + p.location + ")"};
    return check(s, p, hash_listing(*files), zh);
  }

  Result<std::string> unpack_to(const Selection& s, const Package& p, const std::string& target) {
    auto work = TemporaryDir::beside(target);
    if (!work) return work.error();
    auto archive = fetch_archive(p, http_, work->path() + "/package.zip",
                                 s.locked ? s.locked->hashes : std::set<std::string>());
    if (!archive) return archive;
    auto zip = sha256_file(*archive);
    if (!zip) return zip;
    const std::string zh = "zh:" + *zip;
    if (Result<void> ok = check_packed(s, p, *archive, zh); !ok) return ok.error();
    auto content = TemporaryDir::beside(target);
    if (!content) return content.error();
    Result<void> unpacked =
        unpack(*archive, ArchiveKind::Zip, ArchiveLinksMay::NotBe, content->path(), http_.stop);
    if (!unpacked) return Error{unpacked.error().message + " (package " + p.location + ")"};
    auto h1 = hash_directory(content->path(), nullptr, http_.stop);
    if (!h1) return h1;
    if (Result<void> ok = check(s, p, *h1, zh); !ok) return ok.error();
    if (Result<void> ok = has_program(s, p, content->path()); !ok) return ok.error();
    if (Result<void> ok = content->move_to(target); !ok) return ok.error();
    return h1;
  }

  static LockEntry entry(const Selection& s, std::set<std::string> hashes) {
    LockEntry e;
    e.provider = s.needed.provider;
    e.version = s.version;
    e.constraints = s.needed.constraints.text();
    e.hashes = std::move(hashes);
    if (s.locked) e.hashes.insert(s.locked->hashes.begin(), s.locked->hashes.end());
    return e;
  }
  void record(const Selection& s, LockEntry e) {
    (*s.tell)([this, e = std::move(e)] { out_.lock.entries[e.provider.text()] = e; });
  }

  const LockFile& lock_;
  SourceSet& sources_;
  Http& http_;
  const InstallOptions& options_;
  Diagnostics& diags_;
  const plugin::FileHashes known_{plugin::SchemaCache::default_dir()};
  const Platform platform_ = this_platform();
  InstallResult out_;
};

}  // namespace

InstallResult install_providers(const Requirements& needed, const LockFile& lock, SourceSet& sources,
                                Http& http, const InstallOptions& options, Diagnostics& diags) {
  return ProviderInstaller(lock, sources, http, options, diags).run(needed);
}

}  // namespace xplan::install
