// init: checks that everything the configuration needs is there. Nothing is downloaded.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"

namespace xplan::cmd {

int run_init(Session& s, const Args& args) {
  bool backend = true, get = true, upgrade = false, reconfigure = false, migrate = false, input = true, force_copy = false;
  std::string lockfile, lock_timeout = "0s", test_dir, from_module;
  bool lock = true;
  std::vector<std::string> backend_config, plugin_dirs;
  Flags flags(s.program + " init", "Prepares the working directory: checks modules, providers and the backend.");
  flags.flag("backend", backend, "Do not set up the backend.").flag("get", get, "Do not look for modules.").flag("upgrade", upgrade, "Choose the newest allowed versions again.");
  flags.flag("reconfigure", reconfigure, "Forget the previous backend settings.").flag("migrate-state", migrate, "Move the state to a changed backend.");
  flags.flag("input", input, "Do not ask for missing values.").flag("force-copy", force_copy, "Answer yes to all questions of a migration.");
  flags.text("lockfile", lockfile, "\"readonly\": do not change the dependency lock file.", "MODE").list("backend-config", backend_config, "Further settings of the backend.", "KEY=VALUE");
  flags.list("plugin-dir", plugin_dirs, "Folder with provider plugins.", "DIR").text("test-directory", test_dir, "Folder with tests.", "DIR").text("from-module", from_module, "Copy this module first.", "SOURCE");
  flags.flag("lock", lock, "Do not lock the state.").text("lock-timeout", lock_timeout, "How long to wait for a lock.", "30s");
  s.add_view(flags);
  if (auto r = flags.parse(args, s.io); r != Flags::Outcome::Run) return r == Flags::Outcome::Help ? 0 : 1;
  s.settle_view();
  for (const auto& [given, name] : {std::pair{!from_module.empty(), "-from-module"}, {!plugin_dirs.empty(), "-plugin-dir"}, {!backend_config.empty(), "-backend-config"}})
    if (given) s.diags.error("Option not supported yet", fmt::format("{} cannot be used yet.", name));
  s.io.out("\nInitializing the backend...\n");
  auto c = s.load_config(true);
  if (!s.diags.has_errors()) {
    if (c->root->module->backend && c->root->module->backend->type.sv() != "local")
      s.diags.error("Backend not supported yet", fmt::format("States can be kept by the \"local\" backend only; \"{}\" is not supported yet.", c->root->module->backend->type.sv()), c->root->module->backend->range);
    s.io.out("Initializing provider plugins...\n");
    for (const config::Node* n : c->nodes)
      for (const auto& p : n->resource_providers) {
        Diagnostics own;
        if (!s.providers->start(p.provider, own)) s.diags.append(std::move(own));
      }
  }
  if (s.diags.has_errors()) return s.finish();
  s.print_diagnostics();
  s.io.out(fmt::format("\n{} has been successfully initialized!\n", s.product));
  return s.finish();
}

}  // namespace xplan::cmd
