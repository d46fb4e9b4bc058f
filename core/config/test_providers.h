// Which provider each configuration of a test file stands for, and whether the module under test agrees.
//
// Who calls it: test_files.cc, once per file, when all of it is decoded.
// Rules: runs are looked at in order, and the first that says what a configuration is one of has said it. A
// run of another module says so for what that module declares under the same local name, and for what it is
// given by name. A run of the module under test says so, too, but must not say anything else than a run
// before. What no run uses stands for no provider, so nothing is installed for it. Cost: runs ×
// configurations of the file.  Thread-safety: one thread.
#pragma once
#include <optional>
#include <vector>

#include "core/config/config.h"

namespace xplan::config {

struct TestRun {
  const Module* module = nullptr;                        // what it runs
  std::optional<std::vector<ModuleCall::Passed>> given;  // by the argument "providers"
};

// Fills in the providers of the file's configurations.
void settle_test_providers(Module& file, const Module& under_test, const std::vector<TestRun>& runs,
                           Diagnostics& diags);

}  // namespace xplan::config
