// InstalledProviders: the providers of a session: the built-in one, and installed plugins.
//
// Who calls it: Session makes one; everything else sees a ProviderFactory.
// Contract: plugins are looked for, and checked against the dependency lock file, when a configuration needs
// one, or when a state does that no configuration prepared. What is not available is reported once. Cost:
// nothing as long as only the built-in provider is asked for.  Thread-safety: start() from any thread.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "core/install/hosts.h"
#include "core/install/requirements.h"
#include "core/provider/provider.h"

namespace xplan::cmd {

class Session;

class InstalledProviders : public ProviderFactory {
 public:
  explicit InstalledProviders(Session& s);
  ~InstalledProviders() override;
  // Finds what the configuration needs, all of it concurrently. Called again, it tells again what was found
  // then.
  void prepare(const config::Config& c, Diagnostics& diags);
  // Tells what was asked for in vain by callers that told nothing; false when there is nothing to tell.
  bool report(Diagnostics& diags);
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override;
  bool renew_schemas(config::Renew which) override;

 private:
  void find(const install::Requirements& needed, Diagnostics& diags);
  const install::CliConfig& settings(Diagnostics& diags);

  Session& session_;
  std::unique_ptr<ProviderFactory> builtin_;
  std::mutex lock_;
  std::optional<install::CliConfig> settings_;
  std::vector<std::unique_ptr<ProviderFactory>> plugins_;
  struct Found {
    ProviderFactory* factory = nullptr;
    std::vector<Diagnostic> why;  // there is none, unless that was reported
  };
  std::map<std::string, Found> by_address_;
  std::vector<Diagnostic> told_;  // by prepare()
};

}  // namespace xplan::cmd
