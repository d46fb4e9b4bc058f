// StandIns: the providers of a run: mocked ones for the configurations that the test mocks, stand-ins for the
// objects that it overrides, and the real ones for everything else; and the outputs of modules that it
// overrides.
//
// Who makes it: the runner, one per run.
// Rules: what stands in a mock_provider block counts more than what its files of mocks say. An override of
// one instance counts more than one of all instances; then, one of the run more than one of the file, and
// that more than one of a mocked provider. Cost: a hash look-up per object, then a pass over the overrides of
// its resource.  Thread-safety: as ProviderFactory.
#pragma once
#include <map>
#include <mutex>
#include <unordered_map>

#include "core/test/loaded.h"
#include "core/test/mock_provider.h"

namespace xplan::test {

class StandIns : public ProviderFactory {
 public:
  StandIns(ProviderFactory& real, const SourceTable& sources, const Loaded& loaded,
           const config::TestRunBlock& run);
  std::shared_ptr<Provider> start(const ProviderAddr& p, Diagnostics& diags) override {
    return real_.start(p, diags);
  }
  std::shared_ptr<Provider> start_for(const ProviderConfigAddr& c, Diagnostics& diags) override;
  Provider* answering(const AbsInstance& a, Provider* started) override;
  bool renew_schemas(config::Renew which) override { return real_.renew_schemas(which); }
  // Null: it is not overridden.
  const Value* outputs_of(const ModuleInstance& m) const;

 private:
  struct Override {
    const config::TestOverride* block;
    Answers answers;
  };
  struct Mock {
    std::unordered_map<Resource, Answers> types;  // without names
    Answers others;
  };
  void add(const std::vector<config::TestOverride>& overrides, const config::Config& config);
  void add_mocks(const Loaded& loaded, const config::TestRunBlock& run);

  Answers answers(const syntax::Expr* given, config::MadeUp known) const;

  ProviderFactory& real_;
  const SourceTable& sources_;
  // Those that count more first.
  std::unordered_map<ConfigResource, std::vector<Override>> objects_;
  std::unordered_map<Module, std::vector<Override>> modules_;
  std::unordered_map<ProviderConfigAddr, Mock> mocks_;
  std::mutex lock_;
  std::map<std::pair<const Override*, Provider*>, std::unique_ptr<Provider>> standing_in_;
};

}  // namespace xplan::test
