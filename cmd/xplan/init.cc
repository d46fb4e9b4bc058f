// init: prepares the working directory, in this order: a module to start from (-from-module), the modules
// that are called, the backend with its states (backend.cc), the providers that configuration and state
// require, and the dependency lock file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cmd/xplan/backend.h"
#include "cmd/xplan/commands.h"
#include "cmd/xplan/installation.h"
#include "cmd/xplan/migration.h"
#include "core/backend/configured.h"
#include "core/base/command_line.h"
#include "core/config/test_suite.h"
#include "core/install/installed.h"
#include "core/install/package_dir.h"
#include "core/install/package_fetch.h"
#include "core/install/renamed_locks.h"
#include "core/run/encryption.h"
#include "core/run/provider_names.h"

namespace xplan::cmd {
namespace {

using install::InstallEvent;

struct InitFlags {
  bool backend = true, get = true, upgrade = false, cloud = true;
  BackendInit how;
  std::string lockfile, test_dir = "tests", from_module;
  std::vector<std::string> plugin_dirs;
  StateFlags state;

  void add(Flags& f, bool& json) {
    f.flag("backend", backend, "Do not set up the backend.")
        .flag("cloud", cloud, "The same as -backend=false.")
        .flag("get", get, "Do not install modules.")
        .flag("upgrade", upgrade, "Select the newest allowed versions again.")
        .flag("reconfigure", how.reconfigure,
              "Use the changed backend without migrating the states of the previous one.")
        .flag("migrate-state", how.migrate, "Copy the states of all workspaces to the changed backend.")
        .flag("input", how.input, "Do not ask for missing values.")
        .flag("force-copy", how.force_copy, "Answer yes to all questions of a migration.")
        .text("lockfile", lockfile, "\"readonly\": do not change the dependency lock file.", "MODE")
        .list("backend-config", how.given,
              "An argument of the backend, or a file of arguments. Takes precedence over the backend block. "
              "May be repeated.",
              "KEY=VALUE|FILE")
        .list("plugin-dir", plugin_dirs, "Use only providers from this directory. May be repeated.", "DIR")
        .text("test-directory", test_dir, "Directory with tests.", "DIR")
        .flag("ignore-remote-version", state.any_version,
              "Migrate states even if the runs of their workspaces on a server use an incompatible version.")
        .text("from-module", from_module, "Copy this module to the empty working directory first.", "SOURCE")
        .flag("json", json, "Print progress and results as JSON lines.");
    state.add_values(f);
    state.add_lock(f);
    add_notes(f);
  }
  static void add_notes(Flags& f) {
    std::string kinds;
    for (const backend::Kind* k : backend::kKinds)
      if (k->has_type) kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", k->name);
    f.note(
        fmt::format("The backend stores the states. The available backends are {}. A cloud block is for "
                    "workspaces of HCP Terraform and similar servers.",
                    kinds));
    f.note(fmt::format(
        "The arguments of a backend are set by its block and by -backend-config; those that are not, by "
        "environment variables ({} lists them). Arguments that are still missing are asked for on a "
        "terminal, or anywhere with -input=true. Arguments set by the block or -backend-config are recorded "
        "as plain text in .terraform/terraform.tfstate and in plan files, so secrets belong in environment "
        "variables, or in files of the service's own tools.",
        own_command("help")));
    f.note(
        "When the backend has changed, use -migrate-state or -reconfigure to say what happens to the states. "
        "Before a different state is replaced, you are asked, unless -force-copy is used. The original "
        "states are kept; "
        "those in files of the working directory as backups.");
  }
};

bool check_flags(Session& s, const InitFlags& f) {
  if (!f.lockfile.empty() && f.lockfile != "readonly")
    s.diags.error(
        "Invalid option value",
        fmt::format("\"{}\" is not a valid value for the option -lockfile. The only valid value is readonly.",
                    f.lockfile));
  if (f.lockfile == "readonly" && f.upgrade)
    s.diags.error("Incompatible command line options",
                  "-upgrade and -lockfile=readonly cannot be used together, because -upgrade changes the "
                  "dependency lock file.");
  if (f.how.migrate && f.how.reconfigure)
    s.diags.error("Incompatible command line options",
                  "-migrate-state and -reconfigure cannot be used together.");
  for (const std::string& dir : f.plugin_dirs) {
    std::error_code ec;
    if (!dir.empty() && !std::filesystem::is_directory(dir, ec))
      s.diags.error(
          "Invalid option value",
          fmt::format("The option -plugin-dir names \"{}\", but there is no such directory. Nothing "
                      "was installed; correct the path.",
                      dir));
  }
  return !s.diags.has_errors();
}

bool copy_from(Session& s, Installation& in, const std::string& source) {
  std::error_code ec;
  for (const auto& e : std::filesystem::directory_iterator(".", ec)) {
    const std::string name = e.path().filename().string();
    if (name == ".git" || install::is_way_to(name, s.data_dir)) continue;
    s.diags.error("Directory is not empty",
                  "With -from-module, the working directory must be empty, so that the module's files are "
                  "not mixed with others.");
    return false;
  }
  in.tell(fmt::format("Copying configuration from \"{}\"...", source));
  Result<void> ok = install::copy_module(source, ".", s.data_dir, in.http, in.services);
  if (!ok && s.stop)
    install::report_interruption(s.diags);
  else if (!ok)
    s.diags.error(
        "Failed to download module",
        fmt::format("The module given with -from-module could not be downloaded: {}.", ok.error().message));
  return ok.ok();
}

// For people, and what the stream says instead. {0} is the provider, {1} the version (of Finding: the
// versions that are allowed), {2} who vouches for the package.
struct EventText {
  std::string_view people, stream;
};
EventText text_of(const InstallEvent& e) {
  switch (e.kind) {
    case InstallEvent::Kind::Reusing:
      return {"- Reusing previous version of {0} from the dependency lock file",
              "{0}: Reusing previous version from the dependency lock file"};
    case InstallEvent::Kind::Finding:
      if (e.version.empty()) return {"- Finding latest version of {0}...", "{0}: Finding latest version..."};
      return {"- Finding {0} versions matching \"{1}\"...",
              "Finding matching versions for provider: {0}, version_constraint: \"{1}\""};
    case InstallEvent::Kind::Installing:
      return {"- Installing {0} v{1}...", "Installing provider version: {0} v{1}..."};
    case InstallEvent::Kind::Installed:
      return {"- Installed {0} v{1} ({2})", "Installed provider version: {0} v{1} ({2})"};
    case InstallEvent::Kind::Previous:
      return {"- Using previously-installed {0} v{1}",
              "{0} v{1}: Using previously-installed provider version"};
    case InstallEvent::Kind::Cached:
      return {"- Using {0} v{1} from the shared cache directory",
              "{0} v{1}: Using from the shared cache directory"};
  }
  return {};
}

std::string line(const InstallEvent& e, bool stream) {
  const EventText t = text_of(e);
  return fmt::format(fmt::runtime(stream ? t.stream : t.people), e.provider.display(), e.version,
                     e.authentication);
}

void tell_programs(Session& s, std::string_view code, std::string_view text) {
  for (const render::JsonStream* to : {s.stream.get(), s.into.get()})
    if (to)
      to->message(
          "info", text,
          [&](JsonWriter& w) {
            w.member("message_code", code);
            w.member("type", "init_output");
          },
          render::JsonStream::Time::Seconds);
}

void say(Session& s, std::string_view code, std::string_view text) {
  tell_programs(s, code, text);
  if (s.stream) return;
  s.io.out(fmt::format("{}\n", text));
  s.io.flush();
}

void settle_lock(Session& s, const Installation& in, const install::LockFile& before,
                 install::LockFile& after, const std::vector<std::string>& partial, bool readonly,
                 bool all_known) {
  // What is overridden for development is not installed, but stays locked; so does what may be needed.
  for (const auto& [name, e] : before.entries)
    if (!all_known || in.settings.dev_overrides.count(name)) after.entries.emplace(name, e);
  if (install::same_selections(before, after)) return;
  if (readonly) {
    bool only_hashes = before.entries.size() == after.entries.size();
    for (const auto& [name, e] : after.entries) {
      auto it = before.entries.find(name);
      only_hashes &= it != before.entries.end() && it->second.version.text() == e.version.text();
    }
    if (only_hashes)
      s.diags.warn("Dependency lock file not updated",
                   "The dependency lock file lacks checksums of packages that were installed. They were not "
                   "added because -lockfile=readonly is set.");
    else
      s.diags.error("Provider dependency changes detected",
                    "The required providers do not match the dependency lock file, which cannot be changed "
                    "because -lockfile=readonly is set. Run " +
                        own_command("init") + " without that option to record them.");
    return;
  }
  if (!install::write_lock_file(after, std::string(install::kLockFileName), s.diags)) return;
  if (!s.stream) s.io.out("\n");
  if (before.entries.empty())
    say(s, "lock_info",
        "The selected versions are recorded in the dependency lock file\n.terraform.lock.hcl. Commit it to "
        "version control, so that the same versions\nare selected everywhere.");
  else
    say(s, "dependencies_lock_changes_info",
        "The dependency lock file .terraform.lock.hcl has changed. Review the changes,\nand commit them to "
        "version control if they are intended.");
  if (partial.empty()) return;
  std::string list;
  for (const std::string& p : partial) list += "\n  - " + p;
  s.diags.warn(
      "Incomplete lock file information for providers",
      fmt::format(
          "The source of these providers publishes no checksums, so they were computed locally, for this "
          "platform only:{}\n\nThe providers cannot be installed with this lock file on other platforms. Run "
          "\"{} providers lock -platform=OS_ARCH\" to add checksums for another platform.",
          list, program_name()));
}

void install_needed(Session& s, Installation& in, const InitFlags& f, const install::Requirements& all,
                    bool all_known) {
  std::vector<std::string> dirs = f.plugin_dirs;
  if (dirs.empty())
    dirs = remembered_plugin_dirs(s);
  else
    remember_plugin_dirs(s, dirs = dirs.size() == 1 && dirs[0].empty() ? std::vector<std::string>() : dirs);
  dirs.empty() ? in.use_settings() : in.use_folders(dirs);
  auto lock = install::read_lock_file(s.sources, std::string(install::kLockFileName), s.diags);
  if (!lock || s.diags.has_errors()) return;
  install::take_over_selections(*lock, all, s.diags);
  install::Requirements needed = all;
  std::map<std::string, std::string> overrides;
  for (const auto& [name, dir] : in.settings.dev_overrides)
    if (needed.erase(name)) overrides.emplace(name, dir);
  for (const ProviderAddr& p : reattached_providers(s.diags)) needed.erase(p.text());
  install::InstallOptions o;
  o.providers_dir = s.data_dir + "/providers";
  o.cache_dir = in.settings.plugin_cache_dir;
  o.cache_may_break_lock = in.settings.cache_may_break_lock;
  o.upgrade = f.upgrade;
  o.event = [&](const InstallEvent& e) {
    in.tell(line(e, s.stream != nullptr));
    s.io.flush();
  };
  install::InstallResult r = install::install_providers(needed, *lock, in.sources, in.http, o, s.diags);
  if (s.diags.has_errors()) return;
  install::warn_of_overrides(overrides, true, s.diags);
  settle_lock(s, in, *lock, r.lock, r.only_this_platform, f.lockfile == "readonly", all_known);
}

// Without setting up the backend: the state where it was set up before, if it can be read.
bool peek_state(Session& s, const StateFlags& flags, const config::Config& c, Opened& out) {
  Diagnostics ignored;
  const std::optional<crypt::Encryption> e =
      run::module_encryption(s.context(), *c.root->module, s.input_request({flags.variables}), ignored);
  const auto [settings, backend] =
      backend::configured(&c, s.opening(e.value_or(crypt::Encryption())), ignored);
  return backend && run::open_state(s.context(), flags, *backend, "init", s, out, ignored);
}

// Of the backend that is set up now, which is open unless there was nothing to set up.
bool read_state(Session& s, const StateFlags& flags, const config::Config& c,
                std::unique_ptr<backend::Backend> backend, Opened& out) {
  Diagnostics found;
  const crypt::Encryption* encryption = s.encryption(&c, flags.variables);
  if (!encryption) return false;
  if (!backend) backend = backend::configured(&c, s.opening(*encryption), found).backend;
  const bool ok = backend && run::open_state(s.context(), flags, *backend, "init", s, out, found);
  if (!ok && s.stop)
    report_interrupted_init(s,
                            "reading the state. The backend is set up, but providers are not installed yet");
  else
    s.diags.append(std::move(found));
  return ok;
}

bool has_cloud_block(Session& s) {
  Diagnostics ignored;
  return uses_cloud(*s.load_structure(ignored));
}

// Old states name providers without a namespace; nothing can be installed for those.
void refuse_legacy(Session& s, const install::Requirements& needed) {
  for (const auto& [name, r] : needed) {
    if (r.provider.ns.sv() != "-") continue;
    const std::string_view type = r.provider.type.sv();
    s.diags.error("Invalid legacy provider address",
                  fmt::format("The configuration or the state refers to the provider \"{}\" by its type "
                              "alone, as Terraform before 0.13 did. To set the full provider address, run:\n "
                              " {} state replace-provider {} NAMESPACE/{}",
                              name, program_name(), name, type));
  }
}

// Built-in providers have the versions of the program.
bool refuse_versions(Session& s, const config::Config& c, const ProviderAddr& p) {
  bool refused = false;
  for (const auto& m : c.modules)
    for (const config::RequiredProvider& r : m->required_providers)
      if (r.provider == p && !r.version_constraint.empty()) {
        refused = true;
        s.diags.error(
            "Invalid dependency on built-in provider",
            fmt::format("{} is built in, and built-in providers do not support version constraints. Remove "
                        "the argument \"version\".",
                        p.text()),
            r.range);
      }
  return refused;
}

}  // namespace

int run_init(Session& s, const Args& args) {
  InitFlags f;
  Flags flags("init", "Prepares the working directory: modules, providers and the backend.");
  f.add(flags, s.json);
  s.add_json_into(flags);
  flags.accepted_flag("show-sensitive").accepted_flag("concise");  // nothing here is hidden or told twice
  if (std::optional<int> code = s.parse(flags, args, [&] { s.begin_stream_if_asked(args); })) return *code;
  if (s.json) s.begin_stream();
  if (!check_flags(s, f)) return s.finish();
  Installation in(s);
  if (s.diags.has_errors()) return s.finish();
  if (!f.from_module.empty() && !copy_from(s, in, f.from_module)) return s.finish();
  const bool cloud = has_cloud_block(s);
  if (f.backend && f.cloud)
    cloud ? say(s, "initializing_terraform_cloud_message", "Initializing HCP Terraform...")
          : say(s, "initializing_backend_message", "Initializing the backend...");
  if (f.get && install::calls_modules(s.sources, ".", f.test_dir)) {
    f.upgrade ? say(s, "upgrading_modules_message", "Upgrading modules...")
              : say(s, "initializing_modules_message", "Initializing modules...");
    if (!in.modules(f.upgrade, f.test_dir)) return s.finish();
  }
  auto c = s.load_config(true, {}, f.test_dir);
  std::vector<std::unique_ptr<config::Config>> of_tests;
  for (const config::TestModule& m : c->tests->modules)
    of_tests.push_back(s.load_config(true, m.dir, std::nullopt, m.key));
  if (s.diags.has_errors()) return s.finish();
  if (c->root->module->files.empty()) {
    say(s, "output_init_empty_message",
        fmt::format("{} initialized in an empty directory!\n\nThere are no configuration files (.tf or "
                    ".tf.json) here yet. Add some,\nthen run \"{} init\" again.",
                    s.product, program_name()));
    return s.finish();
  }
  Opened o;
  std::unique_ptr<backend::Backend> backend;
  bool all_known = true;
  f.how.state = f.state;
  f.how.input_demanded = std::any_of(args.begin(), args.end(), [](const std::string& a) {
    return a == "-input" || a == "-input=true" || a == "--input" || a == "--input=true";
  });
  f.state.lock = false;
  f.state.goes_on = true;  // who has no backend cannot discard the journal
  if (!f.backend || !f.cloud)
    all_known &= peek_state(s, f.state, *c, o);
  else if (!init_backend(s, *c, f.how, backend) || !read_state(s, f.state, *c, std::move(backend), o))
    return s.finish();
  run::translate_providers(*c, o.state);
  say(s, "initializing_provider_plugin_message", "Initializing provider plugins...");
  std::map<std::string, ProviderAddr> builtin;
  for (const auto& m : c->modules)
    for (const auto& [name, r] : install::module_requirements(*m, true)) builtin.emplace(name, r.provider);
  for (const auto& [addr, r] : o.state.resources)
    builtin.emplace(r.provider.provider.text(), r.provider.provider);
  for (const auto& [name, p] : builtin) {
    if (!p.is_builtin()) continue;
    if (refuse_versions(s, *c, p)) continue;
    Diagnostics own;
    if (s.providers->start(p, own))
      in.tell(fmt::format("{}{} is built into {}", s.stream ? "" : "- ", name, s.product));
    else
      s.diags.append(std::move(own));
  }
  install::Requirements needed = install::requirements(*c, &o.state);
  for (const auto& m : of_tests) install::merge(needed, install::requirements(*m, nullptr));
  for (auto& [name, r] : needed) r.constraints = install::normalized(std::move(r.constraints));
  refuse_legacy(s, needed);
  if (!s.diags.has_errors() && (!needed.empty() || real_fs().exists(std::string(install::kLockFileName))))
    install_needed(s, in, f, needed, all_known);
  if (s.diags.has_errors()) return s.finish();
  s.print_diagnostics();
  if (!s.stream) s.io.out("\n");
  cloud ? say(s, "output_init_success_cloud_message", "HCP Terraform has been successfully initialized!")
        : say(s, "output_init_success_message",
              fmt::format("{} has been successfully initialized!", s.product));
  if (!s.human.in_automation) {
    const std::string next = fmt::format("Run {} to see what would change.", own_command("plan"));
    if (!cloud) tell_programs(s, "output_init_success_cli_message", next);
    if (!s.stream) s.io.out("\n" + next + "\n");
  }
  return s.finish();
}

}  // namespace xplan::cmd
