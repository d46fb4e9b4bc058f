// Files of tests (*.tftest.hcl, *.tftest.json) and of mocks (*.tfmock.hcl, *.tfmock.json): what they say, and
// whether they may say it.
//
// Who calls it: load.cc, for init, validate and test; core/test, for each configuration that a file runs; the
// installation of modules.
// Contract: each file is decoded like a module of its own, which holds its provider configurations; modules
// that runs name are given back, so that they can be judged and their providers installed. The module of run
// "r" in tests/f.tftest.hcl is installed under the key test.tests.f.r. References inside of assertions and
// values of variables belong to the run and are not looked at. Cost: linear in the files.  Thread-safety: one
// thread.
#pragma once
#include "core/config/decode.h"
#include "core/config/test_suite.h"

namespace xplan::config {

// Where the configuration under test and its tests are.
struct TestPlace {
  const Fs& fs;
  std::string root_dir, test_dir, data_dir;
};
// Of the root directory and of `test_dir` below it; neither of directories below these.
std::unique_ptr<TestSuite> read_test_files(const TestPlace& place, SourceTable& sources, const Config& config,
                                           Diagnostics& diags);
// One of them, once more.
TestFile read_test_file(const TestPlace& place, SourceTable& sources, const Config& config,
                        const std::string& path, Diagnostics& diags);

struct TestModuleCall {
  std::string file_key;  // what comes before the name of the run
  ModuleCall call;
};
// What there is to install for runs. What is wrong with the files is for read_test_files() to say.
std::vector<TestModuleCall> test_module_calls(const Fs& fs, SourceTable& sources, const std::string& root_dir,
                                              const std::string& test_dir);

}  // namespace xplan::config
