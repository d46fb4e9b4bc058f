// What names of a test mean: run.NAME.OUTPUT, var.NAME, output.NAME.
//
// Who calls it: World, for assertions and provider blocks of tests; core/test, for values of variables.
// Contract: a name that the test does not give is an error, and the value is unknown then. Cost: O(log n) in
// the names.  Thread-safety: pure.
#pragma once
#include "core/config/config.h"

namespace xplan {

// `given`: null gives unknown values.
Value resolve_given(const config::Given* given, config::GivenName name, const syntax::Traversal& t,
                    Diagnostics& diags);

}  // namespace xplan
