// What is said when a second interrupt ends a run: what is recorded, what is not and where it is instead, and
// what the next run will not know.
//
// Who calls it: operation.cc, from the thread of an InterruptTeller.  Contract: of changes that are being
// made, the journal is abandoned, so nothing is recorded afterwards; every operation that the next run will
// ask about is named. Cost: a second at most, and writing the state to this machine where a server has not
// recorded all.  Thread-safety: once, while the run goes on.
#pragma once
#include <string>
#include <string_view>

#include "cmd/xplan/progress.h"

namespace xplan::cmd {

// `meaning`: of the interrupt, where nothing is to be added.
std::string last_words(Session& s, std::string_view meaning, RunHooks& progress);

}  // namespace xplan::cmd
