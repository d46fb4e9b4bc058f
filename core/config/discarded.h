// What object constructors set although the type that they are converted to has no such attribute.
//
// Who calls it: decode_variable.cc, for defaults; tree.cc, for arguments of module calls.
// Contract: a warning for each such attribute; nothing where the name or the shape of the value is not
// constant. Only where the dialect has OpenTofu's additions.  Cost: linear in the expression.
// Thread-safety: pure.
#pragma once
#include <string_view>

#include "core/syntax/ast.h"
#include "core/value/type.h"

namespace xplan {
class Diagnostics;
}
namespace xplan::config {

// `variable`: whose value the expression is, in quotes.
void warn_of_discarded(const syntax::Expr& e, Type type, std::string_view variable, Diagnostics& diags);

}  // namespace xplan::config
