// Diagnostics as JSON: the object that validate -json and the -json streams carry.
//
// Who calls it: cmd (validate -json), the JSON stream.
// Form: severity, summary, detail, address?, range{filename,start,end}, snippet{…}; see the specification,
// "Other JSON outputs".  Cost: linear.  Thread-safety: pure functions.
#pragma once
#include "core/base/json_writer.h"
#include "core/diag/diagnostic.h"
#include "core/diag/source.h"

namespace xplan::render {

class Snippets;

// One diagnostic as a complete JSON value. `snippets` may be null: then neither range nor snippet.
void write_diagnostic(JsonWriter& w, const Diagnostic& d, Snippets* snippets);
// The document of validate -json, indented, with a newline after it.
std::string validate_json(const Diagnostics& diags, const SourceTable* sources);

}  // namespace xplan::render
