// Expected failures: conditions of a run (of variables, outputs, checks, resources) that are meant not to
// hold.
//
// Who calls it: the runner, with what a plan and an apply have found.
// Rules: a failure that is expected is not a problem; a check that fails unexpectedly is an error in a test,
// not a warning. A condition that already fails when planning keeps an apply from happening, so there it
// stays an error. What is expected and does not fail is an error as well. Cost: problems × expectations.
// Thread-safety: one thread.
#pragma once
#include <vector>

#include "core/config/test_suite.h"

namespace xplan::test {

enum class Phase : uint8_t { Plan, PlanToApply, Apply };

class Expectations {
 public:
  explicit Expectations(const config::TestRunBlock& run);
  // What is left of the problems that were found in a phase.
  Diagnostics settle(Diagnostics found, Phase phase);
  void report_missing(Diagnostics& diags) const;

  struct Expected {
    std::string addr;
    Range range;
    bool one_instance = false;  // of a resource, not all of them
    bool met = false;
  };

 private:
  Expected* find(const std::string& checked);
  std::vector<Expected> all_;
};

}  // namespace xplan::test
