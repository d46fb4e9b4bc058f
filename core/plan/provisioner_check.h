// What is wrong with a provisioner and its connection, as far as it can be told before it runs.
//
// Who calls it: the validate walk; planning, for objects that would be created; applying, once all is known.
// Contract: what is unknown passes; what cannot be evaluated yet is passed over (a file may be made by the
// same apply). No text contains a sensitive value. Cost: as evaluating it.  Thread-safety: pure functions.
#pragma once
#include "core/config/config.h"
#include "core/eval/eval.h"

namespace xplan {

void check_provisioner(const config::Provisioner& p, const eval::Scope& scope, Diagnostics& diags);
// The same for values that were evaluated; a connection that is null is not looked at.
void check_provisioner(const config::Provisioner& p, const Value& arguments, const Value* connection,
                       Diagnostics& diags);
void report_missing_connection(const config::Provisioner& p, Diagnostics& diags);

}  // namespace xplan
