// The provider factory of a command: finds plugins in .terraform/providers (or development overrides),
// checks them against the dependency lock file, and reports what is missing once.
#include "cmd/xplan/installed_providers.h"

#include <cstdlib>

#include "cmd/xplan/session.h"
#include "core/install/installed.h"
#include "core/provider/plugin/plugin.h"

extern char** environ;

namespace xplan::cmd {

InstalledProviders::InstalledProviders(Session& s) : session_(s), builtin_(make_builtin_factory()) {}
InstalledProviders::~InstalledProviders() = default;

const install::CliConfig& InstalledProviders::settings(Diagnostics& diags) {
  if (!settings_) {
    settings_ = install::load_cli_config(session_.sources, &std::getenv, environ, diags);
    hosts::forget_missing_cli_file(diags);
  }
  return *settings_;
}

void InstalledProviders::find(const install::Requirements& needed, Diagnostics& diags) {
  install::InstalledOptions o;
  o.providers_dir = session_.data_dir + "/providers";
  const size_t errors = diags.error_count();
  o.attached = reattached_providers(diags);
  for (const auto& [name, dir] : settings(diags).dev_overrides)
    if (needed.count(name)) o.dev_overrides.emplace(name, dir);
  install::warn_of_overrides(o.dev_overrides, false, diags);
  for (const auto& [name, r] : needed) by_address_[name] = {};
  auto lock = install::read_lock_file(session_.sources, std::string(install::kLockFileName), diags);
  if (!lock || diags.error_count() != errors) return;
  std::vector<PluginProgram> programs = install::find_installed(needed, *lock, o, diags);
  if (diags.error_count() != errors) return;
  PluginOptions options;
  options.stop = &session_.stop;
  plugins_.push_back(make_plugin_factory(std::move(programs), options));
  for (const auto& [name, r] : needed) by_address_[name].factory = plugins_.back().get();
}

void InstalledProviders::prepare(const config::Config& c, Diagnostics& diags) {
  install::Requirements needed = install::requirements(c, nullptr);
  std::lock_guard hold(lock_);
  for (auto it = needed.begin(); it != needed.end();)
    it = by_address_.count(it->first) ? needed.erase(it) : std::next(it);
  if (!needed.empty()) {
    Diagnostics found;
    find(needed, found);
    told_.insert(told_.end(), found.all().begin(), found.all().end());
  }
  if (by_address_.empty())
    reattached_providers(diags);  // a wrong value is told even where nothing would use it
  for (const Diagnostic& d : told_) diags.add(d);
}

bool InstalledProviders::report(Diagnostics& diags) {
  std::lock_guard hold(lock_);
  bool any = false;
  for (auto& [name, f] : by_address_) {
    for (const Diagnostic& d : f.why) any |= d.severity == Severity::Error, diags.add(d);
    f.why.clear();
  }
  return any;
}

std::shared_ptr<Provider> InstalledProviders::start(const ProviderAddr& p, Diagnostics& diags) {
  if (p.is_builtin()) return builtin_->start(p, diags);
  ProviderFactory* found = nullptr;
  {
    std::lock_guard hold(lock_);
    const std::string name = p.text();
    if (!by_address_.count(name)) {
      // Some callers want to know only whether there is one: what is wrong is kept for those that tell.
      Diagnostics own;
      find({{name, {p, {}}}}, own);
      by_address_[name].why = own.all();
    }
    Found& f = by_address_[name];
    found = f.factory;
    for (const Diagnostic& d : f.why)
      if (!found || d.severity != Severity::Error) diags.add(d);
    if (found) f.why.clear();
  }
  return found ? found->start(p, diags) : nullptr;
}

bool InstalledProviders::renew_schemas(config::Renew which) {
  std::lock_guard hold(lock_);
  bool any = false;
  for (const auto& factory : plugins_) any |= factory->renew_schemas(which);
  return any;
}

}  // namespace xplan::cmd
