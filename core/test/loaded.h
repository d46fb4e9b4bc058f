// The configurations that the runs of a test file need: the module under test or another one, with provider
// configurations of the file in place of the module's own.
//
// Who calls it: the runner.  Invariant: a configuration is loaded once for all runs of a file that ask for
// the same, but for those that run at the same time; it comes with a copy of the file of its own, since
// references are bound in one configuration only. Cost: as config::load.  Thread-safety: one thread.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "core/config/test_files.h"
#include "core/run/context.h"

namespace xplan::test {

struct Loaded {
  config::TestFile file;  // owns what the configuration refers to
  std::unique_ptr<config::Config> config;
  config::Given given;   // of the run that is executed
  Diagnostics problems;  // told with the first run
  bool usable = false;
  bool taken = false;  // by a run that has not ended
  const config::TestRunBlock& run(Symbol name) const;
};

class Configurations {
 public:
  Configurations(const run::Context& c, const config::TestPlace& place, const config::Config& under_test)
      : context_(c), place_(place), under_test_(under_test) {}
  // For this run alone, until it sets `taken` back.
  Loaded& take(const config::TestFile& file, const config::TestRunBlock& run);

 private:
  std::unique_ptr<Loaded> load(const config::TestFile& file, const config::TestRunBlock& run);
  const run::Context& context_;
  const config::TestPlace& place_;
  const config::Config& under_test_;
  std::map<std::string, std::vector<std::unique_ptr<Loaded>>> loaded_;
};

}  // namespace xplan::test
