// Files of tests (*.tftest.hcl, *.tftest.json) and of mocks (*.tfmock.hcl, *.tfmock.json): whether they say
// what they may say. Running tests is not part of this program.
//
// Who calls it: load.cc, for init and validate.
// Contract: each file is decoded like a module of its own, which holds its provider configurations; modules
// that runs name in local directories are given back, so that they can be judged and their providers
// installed. References inside of assertions and values of variables belong to the run and are not looked at.
// Cost: linear in the files.  Thread-safety: one thread.
#pragma once
#include "core/config/decode.h"

namespace xplan::config {

// Of the root directory and of `test_dir` below it; neither of directories below these.
TestSuite read_test_files(const Fs& fs, SourceTable& sources, const Config& config,
                          const std::string& root_dir, const std::string& test_dir, Diagnostics& diags);

}  // namespace xplan::config
