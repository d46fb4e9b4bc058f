// Binding an expression that stands in no file: what is typed at the console.
//
// Who calls it: cmd.
// Contract: the expression sees what a local value of the module would see. Its references are added to the
// module's, so the expression must stay as long as the module. A reference that means nothing is reported and
// evaluates to unknown. Cost: one look-up a reference.  Thread-safety: nobody else uses the module meanwhile.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

void bind_expression(Module& m, const Node& node, const syntax::Expr& e, Diagnostics& diags);

}  // namespace xplan::config
