// Binds one expression from elsewhere as if it were a local value of the module.
#include "core/config/bind_expression.h"

#include "core/config/reference.h"
#include "core/schema/decode.h"

namespace xplan::config {

void bind_expression(Module& m, const Node& node, const syntax::Expr& e, Diagnostics& diags,
                     const RefScope& scope) {
  ReferenceParser parser(m, node, diags);
  std::vector<const syntax::Traversal*> used;
  syntax::collect_traversals(e, used);
  for (const syntax::Traversal* t : used) {
    if (t->bound) continue;
    m.references.push_back(parser.parse(*t, scope));
    t->bound = static_cast<uint32_t>(m.references.size());
  }
}

}  // namespace xplan::config
