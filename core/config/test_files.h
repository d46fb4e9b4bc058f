// Files of tests (*.tftest.hcl, *.tftest.json) and of mocks (*.tfmock.hcl, *.tfmock.json): whether they say
// what they may say. Running tests is not part of this program.
//
// Who calls it: load.cc, for init and validate; the installation of modules.
// Contract: each file is decoded like a module of its own, which holds its provider configurations; modules
// that runs name are given back, so that they can be judged and their providers installed. The module of run
// "r" in tests/f.tftest.hcl is installed under the key test.tests.f.r. References inside of assertions and
// values of variables belong to the run and are not looked at. Cost: linear in the files.  Thread-safety: one
// thread.
#pragma once
#include "core/config/decode.h"

namespace xplan::config {

// Of the root directory and of `test_dir` below it; neither of directories below these.
TestSuite read_test_files(const Fs& fs, SourceTable& sources, const Config& config,
                          const std::string& root_dir, const std::string& test_dir,
                          const std::string& data_dir, Diagnostics& diags);

struct TestModuleCall {
  std::string file_key;  // what comes before the name of the run
  ModuleCall call;
};
// What there is to install for runs. What is wrong with the files is for read_test_files() to say.
std::vector<TestModuleCall> test_module_calls(const Fs& fs, SourceTable& sources, const std::string& root_dir,
                                              const std::string& test_dir);

}  // namespace xplan::config
