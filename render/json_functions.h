// `metadata functions -json`: the signatures of the language's functions, for editors and language servers.
//
// Who calls it: cmd.  Form: one line, format version 1.0, sorted by name; every function stands there under
// its name and as "core::NAME". No newline after it.  Cost: linear.  Thread-safety: pure.
#pragma once
#include "core/base/json_writer.h"
#include "core/eval/function.h"

namespace xplan::render {

void write_functions_json(const eval::FunctionTable& table, JsonWriter& w);

}  // namespace xplan::render
