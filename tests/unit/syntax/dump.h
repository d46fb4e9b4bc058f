// Prints a syntax tree as s-expressions, for expectations of tests.
#pragma once
#include <string>

#include "core/syntax/body.h"

namespace xplan::syntax {

// `base`: offset of the file, to print ranges as @begin-end in bytes of the file; 0: no ranges.
std::string dump(const Expr& e, uint32_t base);
// A whole file, decoded with a schema like that of real configurations (JSON needs one).
std::string dump_file(const File& file, Diagnostics& diags);
std::string dump_diagnostics(const SourceTable& sources, const Diagnostics& diags);

}  // namespace xplan::syntax
