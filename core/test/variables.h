// Values of variables of tests: what is given for all of them, by a file, and by a run; the later counts
// more.
//
// Who calls it: the runner.  Contract: values of a file may refer to those given for all (var.x), those of a
// run also to the file's and to outputs of earlier runs (run.NAME.OUTPUT). What a module does not declare is
// kept for whoever refers to it, and not given to the module. Cost: linear in variables.  Thread-safety: one
// thread.
#pragma once
#include <map>

#include "core/config/inputs.h"
#include "core/config/test_suite.h"
#include "core/run/context.h"
#include "core/run/inputs.h"

namespace xplan::test {

// What is given for all test files: by the environment, variables files and options; for those in the
// directory of tests also by the variables files there, which count most. Any name may be given, since a test
// may refer to it, or the module of a run declare it: then the text of an option or of the environment is an
// expression, or a string if it is none.
struct GlobalValues {
  config::InputValues beside, in_test_dir;  // for test files beside the configuration, and in that directory
};
GlobalValues global_values(const run::Context& c, const config::Module& under_test,
                           const config::TestSuite& suite, run::InputRequest request,
                           const std::string& test_dir, Diagnostics& diags);

// Adds those of a file to `values`; what is wrong with one matters to the runs that use it.
using ProblemsOf = std::map<std::string_view, Diagnostics>;  // by name
ProblemsOf add_file_values(const config::TestFile& file, config::InputValues& values);

struct RunValues {
  RootValues root;                      // of the module's variables, finalized
  std::vector<PlanVariable> given;      // likewise, for the plan
  std::map<std::string, Range> places;  // of values that have one, by "var.NAME"
  Value all;                            // an object: those and all others that are given
};
// `values`: of the file, with their `problems`; `runs`: an object of the outputs of earlier runs.
RunValues run_values(const config::TestRunBlock& run, const config::Module& module,
                     const config::InputValues& values, const ProblemsOf& problems, const Value& runs,
                     Diagnostics& diags);

}  // namespace xplan::test
