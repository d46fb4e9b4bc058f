// Installs all called modules, those of one depth concurrently: asks registries for versions, fetches each
// package once, and reads and writes the manifest modules.json.
#include "core/install/module_install.h"

#include <fnmatch.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/config/early.h"
#include "core/config/module_files.h"
#include "core/config/test_files.h"
#include "core/config/tree.h"
#include "core/config/version.h"
#include "core/install/hosts.h"
#include "core/install/jobs.h"
#include "core/install/module_fetch.h"
#include "core/install/module_registry.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"
#include "core/net/redact.h"

namespace xplan::install {
namespace {

namespace fs = std::filesystem;
using Kind = ModuleSource::Kind;

constexpr size_t kMaxModules = config::kMaxNodes;

bool inside(const std::string& dir, const std::string& folder) {
  return folder == "." ? !dir.starts_with("..") && !dir.starts_with('/')
                       : dir == folder || dir.starts_with(folder + "/");
}

// By way of links, or in any other way.
bool leads_out(const std::string& dir, const std::string& package) {
  std::error_code ec;
  const std::string end = fs::weakly_canonical(dir, ec).string(),
                    top = fs::weakly_canonical(package, ec).string();
  return ec || (end != top && !end.starts_with(top + "/"));
}

// The directory of a package; a pattern stands for the only directory that it matches.
Result<std::string> folder_in(const std::string& package, const std::string& folder) {
  std::string at = package;
  for (size_t i = 0; i < folder.size();) {
    const size_t end = std::min(folder.find('/', i), folder.size());
    std::string part = folder.substr(i, end - i);
    i = end + 1;
    if (part.find_first_of("*?[") != std::string::npos && !real_fs().is_dir(at + "/" + part)) {
      std::vector<std::string> names;
      std::error_code ec;
      for (const auto& e : fs::directory_iterator(at, ec)) {
        const std::string name = e.path().filename().string();
        if (e.is_directory(ec) && ::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0)
          names.push_back(name);
      }
      if (names.size() != 1)
        return Error{"the package does not contain exactly one directory that matches " + in_quotes(folder)};
      part = names[0];
    }
    at += "/" + part;
  }
  at = clean_path(at);
  if (real_fs().is_dir(at)) return at;
  return Error{"the package has no directory " + in_quotes(folder)};
}

class Installer {
 public:
  Installer(SourceTable& s, const ModuleOptions& o, Http& http, Services& services, Diagnostics& d)
      : sources_(s),
        options_(o),
        http_(http),
        services_(services),
        registry_(services),
        diags_(d),
        before_(read_manifest(o.data_dir)),
        modules_dir_(join_path(o.data_dir, "modules")) {}

  bool run() {
    const size_t errors = diags_.error_count();
    std::vector<Place> level{{"", clean_path(options_.root_dir), "", {}, 0, nullptr, nullptr}};
    after_[""] = {"", "", clean_path(options_.root_dir)};
    std::vector<Call> calls = calls_of_tests();
    while (!level.empty() && !http_.stopped()) {
      for (Call& c : calls_of(level)) calls.push_back(std::move(c));
      if (after_.size() + calls.size() > kMaxModules) {
        diags_.error("Too many modules", "The module calls of this configuration lead to more than " +
                                             std::to_string(kMaxModules) + " modules.");
        break;
      }
      level = install_all(std::exchange(calls, {}));
    }
    if (http_.stopped()) {
      // What the list has besides is likely still there.
      after_.insert(before_.begin(), before_.end());
      report_interruption(diags_);
    }
    if (after_.size() > 1 || !before_.empty()) {
      Result<void> ok = make_dirs(modules_dir_);
      if (ok) ok = write_atomic(modules_dir_ + "/modules.json", manifest_text(after_));
      if (!ok) diags_.error("Cannot write the list of modules", ok.error().sentence());
    }
    if (diags_.error_count() == errors) return true;
    diags_.append(std::move(wrong_));
    return false;
  }

 private:
  struct Place {
    std::string key, dir;
    std::string package;  // directory of the package that the module is in; empty: the configuration itself
    std::vector<std::string> above;  // directories and packages of the callers, for cycles
    uint32_t depth;
    const config::ModuleCall* call = nullptr;           // that leads here, seen by the caller
    std::shared_ptr<const config::StaticScope> caller;  // null: the root module
  };

  struct Call {
    const Place* at;  // the calling module
    std::string name, source, version;
    Range range, source_range;
    const config::ModuleCall* call = nullptr;
    std::shared_ptr<const config::StaticScope> scope;  // of the calling module
    const Tell* tell = nullptr;                        // of the job that installs it
  };

  // A name becomes a part of a path: one that is not valid is an error when the configuration is loaded, and
  // nothing is installed for it.
  static bool installable(const config::ModuleCall& c) { return syntax::valid_identifier(c.name.sv()); }
  // Nothing where it cannot be told what is called. `scope`: of the calling module; null: a test.
  std::optional<Call> call_of(const Place& at, const config::ModuleCall& c,
                              std::shared_ptr<const config::StaticScope> scope) {
    if (!installable(c)) return std::nullopt;
    Diagnostics found;
    std::optional<config::ModuleFrom> from = config::source_of(
        c, [&] { return scope; }, found);
    if (!found.empty() && told_.emplace(c.range.begin, c.range.end).second) diags_.append(std::move(found));
    if (!from) return std::nullopt;
    Call out{
        &at,           std::string(c.name.sv()), std::move(from->source), std::move(from->version), c.range,
        c.source_range};
    if (scope) out.call = &c, out.scope = std::move(scope);
    return out;
  }
  // What runs of tests take.
  std::vector<Call> calls_of_tests() {
    std::vector<Call> out;
    const std::string root = clean_path(options_.root_dir);
    for (const config::TestModuleCall& t :
         config::test_module_calls(real_fs(), sources_, root, options_.test_dir))
      if (auto c = call_of(test_files_.emplace_back(Place{t.file_key, root, "", {}, 0, nullptr, nullptr}),
                           t.call, nullptr))
        out.push_back(std::move(*c));
    return out;
  }
  // In order of the modules and of names.
  std::vector<Call> calls_of(const std::vector<Place>& modules) {
    std::vector<Call> out;
    for (const Place& at : modules) {
      if (after_.size() + out.size() > kMaxModules) break;
      const config::Module& m = module(at.dir);
      const std::shared_ptr<const config::StaticScope> scope = scope_of(at, m);
      const size_t first = out.size();
      for (const config::ModuleCall& c : m.calls)
        if (auto call = call_of(at, c, scope)) out.push_back(std::move(*call));
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                [](const Call& a, const Call& b) { return a.name < b.name; });
    }
    return out;
  }

  const config::Module& module(const std::string& dir) {
    std::unique_ptr<config::Module>& m = modules_[dir];
    if (m) return *m;
    std::vector<config::LayeredBody> layered;
    // What is wrong in the files is reported once: here, or, when everything is there, by loading all.
    Diagnostics found_wrong;
    m = config::read_module(real_fs(), sources_, dir, layered, found_wrong);
    if (found_wrong.has_errors()) wrong_.append(std::move(found_wrong));
    return *m;
  }

  std::shared_ptr<const config::StaticScope> scope_of(const Place& at, const config::Module& m) {
    if (at.caller) return std::make_shared<config::StaticScope>(m, *at.call, at.caller);
    return early_.emplace_back(m, options_.early, http_.stop)
        .scope(config::kModuleSource, config::kNeededEarly);
  }

  std::vector<Place> install_all(const std::vector<Call>& calls) {
    std::vector<Place> out;
    run_jobs(calls.size(), [&](size_t i, const Tell& tell) {
      if (http_.stopped()) return;
      Call c = calls[i];
      c.tell = &tell;
      if (auto place = install(c)) tell([&out, p = std::move(*place)] { out.push_back(p); });
    });
    return out;
  }

  std::nullopt_t fail(const Call& c, const std::string& why) { return fail(c, why, c.range); }
  std::nullopt_t fail(const Call& c, const std::string& why, Range where) {
    if (http_.stopped()) return std::nullopt;
    const std::string source = without_credentials(c.source);
    std::string reason = without_credentials(why);
    if (const std::string same = "failed to download " + source + ": "; reason.starts_with(same))
      reason.erase(0, same.size());
    std::string detail = "The module " + in_quotes(c.name) + " could not be downloaded from " +
                         in_quotes(source) + ": " + reason;
    if (!detail.ends_with('\n')) detail += ".";
    return fail(c, "Failed to download module", std::move(detail), where);
  }
  std::nullopt_t fail(const Call& c, const char* summary, std::string detail, Range where) {
    (*c.tell)([this, summary, d = std::move(detail), where] { diags_.error(summary, d, where); });
    return std::nullopt;
  }

  void event(const Call& c, ModuleEvent e) {
    (*c.tell)([this, e = std::move(e)] { options_.event(e); });
  }
  void list(const Call& c, const std::string& key, ModuleEntry e) {
    (*c.tell)([this, key, e = std::move(e)] { after_[key] = e; });
  }

  std::optional<Place> install(const Call& c) {
    const Place& at = *c.at;
    Place out;
    out.key = at.key.empty() ? c.name : at.key + "." + c.name;
    out.depth = at.depth + 1;
    out.above = at.above;
    out.above.push_back(at.dir);
    out.call = c.call, out.caller = c.scope;
    if (out.depth > kMaxModuleDepth) return fail(c, "the modules call each other in a cycle");
    auto source = parse_module_source(c.source);
    if (!source)
      return fail(c, "Invalid module source", without_credentials(Error(source.error()).sentence()),
                  c.source_range);
    if (source->kind == Kind::Local && !c.version.empty()) return std::nullopt;  // reported when it was read
    if (!c.version.empty() && source->kind != Kind::Registry)
      return fail(
          c, "Invalid version constraint",
          "The argument \"version\" is only for modules from a registry. The source of this module is " +
              in_quotes(without_credentials(c.source)) + ".",
          c.source_range);
    if (source->kind == Kind::Local) {
      out.dir = join_path(at.dir, c.source);
      out.package = at.package;
      if (!at.package.empty() && !inside(out.dir, at.package))
        return fail(c, "the path leads outside of the package that contains the calling module");
      if (std::find(out.above.begin(), out.above.end(), out.dir) != out.above.end())
        return std::nullopt;  // reported with the whole cycle when the configuration is loaded
      if (!real_fs().is_dir(out.dir)) return std::nullopt;  // likewise
      if (!at.package.empty() && leads_out(out.dir, at.package))
        return fail(c, "a link on its path leads outside of the package that contains the calling module");
      out.dir = config::real_dir(out.dir);
      auto b = before_.find(out.key);
      list(c, out.key, {source->text, "", out.dir});
      if (options_.upgrade || b == before_.end() || b->second.source != source->text ||
          b->second.dir != out.dir)
        event(c, {ModuleEvent::Kind::Installed, out.key, out.dir, ""});
      return out;
    }
    // Nothing is conditional here, so a package that calls itself does so without an end.
    if (std::find(out.above.begin(), out.above.end(), source->text) != out.above.end())
      return fail(c, "the module calls itself, directly or through others");
    out.above.push_back(source->text);
    return source->kind == Kind::Registry
               ? from_registry(std::move(out), c, *source)
               : from_package(std::move(out), c, *source, {*source, SaidBy::Configuration}, "");
  }

  // What is there already, if it is still what the call asks for.
  const ModuleEntry* present(const std::string& key, const ModuleSource& s) const {
    if (options_.upgrade) return nullptr;
    auto it = before_.find(key);
    if (it == before_.end() || it->second.source != s.text || !real_fs().is_dir(it->second.dir))
      return nullptr;
    return &it->second;
  }

  std::optional<Place> keep(Place out, const Call& c, const ModuleEntry& e) {
    out.dir = e.dir;
    out.package = modules_dir_ + "/" + out.key;
    list(c, out.key, e);
    return out;
  }

  std::optional<Place> from_registry(Place out, const Call& c, const ModuleSource& source) {
    const auto wanted = parse_version_constraints(c.version);
    if (!wanted) return std::nullopt;  // reported when it was read
    if (const ModuleEntry* e = present(out.key, source)) {
      auto v = parse_version(e->version);
      if (v && wanted->matches(*v)) return keep(std::move(out), c, *e);
    }
    auto version = registry_.choose(source, *wanted);
    if (!version) return fail(c, version.error().message);
    auto location = registry_.location(source, *version);
    if (!location) return fail(c, location.error().message);
    if (location->source.kind == Kind::Local || location->source.kind == Kind::Registry)
      return fail(c, "the registry returned a location that is not a package");
    return from_package(std::move(out), c, source, *location, version->text());
  }

  std::optional<Place> from_package(Place out, const Call& c, const ModuleSource& source,
                                    const ModuleRegistry::Location& from, const std::string& version) {
    const ModuleSource& location = from.source;
    if (version.empty()) {
      if (const ModuleEntry* e = present(out.key, source)) return keep(std::move(out), c, *e);
    }
    out.package = modules_dir_ + "/" + out.key;
    event(c, {ModuleEvent::Kind::Downloading, out.key, without_credentials(source.package), version});
    const std::string package = std::to_string(static_cast<int>(from.said)) + " " + location.package;
    const Result<std::string>& there = fetched_.get(package, [&]() -> Result<std::string> {
      if (Result<void> ok = fetch_module(location, out.package, http_, services_, from.said); !ok)
        return ok.error();
      return out.package;
    });
    if (!there) return fail(c, there.error().message);
    if (*there != out.package) {
      if (Result<void> ok = copy(*there, out.package); !ok) return fail(c, ok.error().message);
    }
    std::string folder = location.folder;
    if (from.said != SaidBy::Configuration && !source.folder.empty())
      folder += (folder.empty() ? "" : "/") + source.folder;
    auto dir = folder_in(out.package, folder);
    if (!dir) return fail(c, dir.error().message);
    if (leads_out(*dir, out.package))
      return fail(c, "its directory is a link that leads outside of the package");
    out.dir = *dir;
    list(c, out.key, {source.text, version, out.dir});
    event(c, {ModuleEvent::Kind::Installed, out.key, out.dir, ""});
    return out;
  }

  Result<void> copy(const std::string& from, const std::string& to) const {
    std::error_code ec;
    if (fs::is_symlink(from, ec)) return place_link(fs::read_symlink(from, ec).string(), to);
    auto work = TemporaryDir::beside(to);
    if (!work) return work.error();
    if (Result<void> ok = copy_tree(from, work->path(), http_.stop); !ok) return ok;
    return work->move_to(to);
  }

  SourceTable& sources_;
  const ModuleOptions& options_;
  Http& http_;
  Services& services_;
  ModuleRegistry registry_;
  Diagnostics& diags_;
  Diagnostics wrong_;  // what is wrong in the files that were read
  ModuleManifest before_, after_;
  std::string modules_dir_;
  std::unordered_map<std::string, std::unique_ptr<config::Module>> modules_;  // by directory
  std::deque<config::Early> early_;                                           // of root modules
  std::set<std::pair<uint32_t, uint32_t>> told_;  // ranges of calls: what is wrong with their source
  std::deque<Place> test_files_;                  // that take modules
  OnceMap<Result<std::string>> fetched_;          // package, and who named it → directory
};

}  // namespace

ModuleManifest read_manifest(const std::string& data_dir) {
  ModuleManifest out;
  auto text = real_fs().read(join_path(data_dir, "modules/modules.json"));
  if (!text) return out;
  const auto doc = parse_document(*text);
  const Json* list = doc ? list_in(*doc, "Modules") : nullptr;
  if (!list) return out;
  for (const Json& n : *list)
    if (n.is_object() && !text_in(n, "Dir").empty())
      out[text_in(n, "Key")] = {text_in(n, "Source"), text_in(n, "Version"), clean_path(text_in(n, "Dir"))};
  return out;
}

std::string manifest_text(const ModuleManifest& m) {
  JsonWriter w;
  w.begin_object();
  w.key("Modules");
  w.begin_array();
  for (const auto& [key, e] : m) {
    w.begin_object();
    w.member("Key", key);
    w.member("Source", e.source);
    if (!e.version.empty()) w.member("Version", e.version);
    w.member("Dir", e.dir);
    w.end_object();
  }
  w.end_array();
  w.end_object();
  return w.take();
}

bool install_modules(SourceTable& sources, const ModuleOptions& options, Http& http, Services& services,
                     Diagnostics& diags) {
  return Installer(sources, options, http, services, diags).run();
}

bool calls_modules(SourceTable& sources, const std::string& root_dir, const std::string& test_dir) {
  std::vector<config::LayeredBody> layered;
  Diagnostics ignored;
  return !config::read_module(real_fs(), sources, clean_path(root_dir), layered, ignored)->calls.empty() ||
         !config::test_module_calls(real_fs(), sources, clean_path(root_dir), test_dir).empty();
}

Result<void> copy_module(const std::string& source, const std::string& to, const std::string& data_dir,
                         Http& http, Services& services) {
  auto parsed = parse_module_source(source);
  if (!parsed) return parsed.error();
  ModuleSource from = *parsed;
  SaidBy said = SaidBy::Configuration;
  std::string folder = from.folder;
  const std::string final = join_path(data_dir, "modules/.from-module");
  auto work = TemporaryDir::beside(final);
  if (!work) return work.error();
  std::string package = work->path() + "/package";
  if (from.kind == Kind::Local) {
    package = from.package;
    if (!real_fs().is_dir(package)) return Error{"there is no directory " + in_quotes(package)};
  } else {
    if (from.kind == Kind::Registry) {
      ModuleRegistry registry(services);
      auto version = registry.choose(from, {});
      if (!version) return version.error();
      auto location = registry.location(from, *version);
      if (!location) return location.error();
      from = location->source;
      said = location->said;
      folder = from.folder + (from.folder.empty() || folder.empty() ? "" : "/") + folder;
    }
    if (Result<void> ok = fetch_module(from, package, http, services, said); !ok) return ok;
  }
  auto dir = folder_in(package, folder);
  if (!dir) return dir.error();
  if (leads_out(*dir, package)) return Error{"its directory is a link that leads outside of the package"};
  const std::set<std::string> without = {".git", ".terraform"};
  Result<void> ok = copy_tree(*dir, to, http.stop, without);
  if (!ok) remove_copy(*dir, to, data_dir, without);
  return ok;
}

}  // namespace xplan::install
