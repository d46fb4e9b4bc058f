// One run block: its plan, or its plan and apply, and what is to be said of them.
//
// Who calls it: the runner.  Contract: the state is changed by an apply only, however it ended. Cost: as
// planning and applying.  Thread-safety: one thread.
#pragma once
#include <memory>

#include "core/plan/planner.h"
#include "core/test/ledger.h"
#include "core/test/loaded.h"
#include "core/test/stand_ins.h"
#include "core/test/test.h"
#include "core/test/variables.h"

namespace xplan::test {

struct Execution {
  const run::Context& context;
  Loaded& loaded;
  const config::TestRunBlock& block;  // of `loaded`
  RunValues values;
  std::shared_ptr<StandIns> providers;
  int parallelism;
  Ledger& ledger;
  std::string name;  // FILE/RUN
};

struct Executed {
  Plan plan;  // what is shown of a run that was not applied
  bool planned = false, applied = false;
  State state;    // that what the run says is about: applied, or as it is planned to be
  Value outputs;  // an object
};

// Changes `state` if it applies. Problems go into the result, and its status.
Executed execute(const Execution& x, State& state, RunResult& result);
// Destroys all of a state by a configuration; what is left stays in it.
void destroy_all(const Execution& x, State& state, Diagnostics& diags);

}  // namespace xplan::test
