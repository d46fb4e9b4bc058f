// Binding an expression that stands in no file of the module: what is typed at the console, what tests
// assert.
//
// Who calls it: cmd; core/test.
// Contract: the expression sees what a local value of the module would see. Its references are added to the
// module's, so the expression must stay as long as the module. A reference that means nothing is reported and
// evaluates to unknown. Cost: one look-up a reference.  Thread-safety: nobody else uses the module meanwhile.
#pragma once
#include "core/config/reference.h"

namespace xplan::config {

// `scope`: what else it may use.
void bind_expression(Module& m, const Node& node, const syntax::Expr& e, Diagnostics& diags,
                     const RefScope& scope = {});

}  // namespace xplan::config
