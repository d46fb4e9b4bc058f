// XPLAN_CHECK: what must hold whatever the input is. Where it does not hold the program ends immediately, in
// release builds too: after a broken contract nothing that it computes or writes can be trusted.
//
// Who calls it: accessors and functions whose contract says what the caller has made sure of.
// Contract: never for what input, providers or the system can cause; those are errors with a message.
// Cost: a comparison and a branch that is not taken.  Thread-safety: any thread.
#pragma once

namespace xplan {

[[noreturn]] void check_failed(const char* what, const char* file, int line);

}  // namespace xplan

// The file without its directory: builds are the same wherever their sources are.
#define XPLAN_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::xplan::check_failed(#condition, __FILE_NAME__, __LINE__))
