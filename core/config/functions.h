// The functions of the language, as the dialect has them.
//
// Who calls it: whoever evaluates expressions of a configuration: early evaluation here, plan and test; cmd,
// which lists them.  Invariant: what OpenTofu adds cannot be called in Terraform's dialect, where a template
// cannot render another one either; TF_TEMPLATE_RECURSION_DEPTH says how deep they may nest elsewhere.
// Cost: some 130 rows.  Thread-safety: free function; the environment is read.
#pragma once
#include "core/eval/function.h"

namespace xplan::config {

void register_functions(eval::FunctionTable& table);

}  // namespace xplan::config
