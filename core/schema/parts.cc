// Collects the references in the one attribute or block that a path names.
#include "core/schema/parts.h"

#include "core/schema/decode.h"
#include "core/schema/nested.h"

namespace xplan::schema {

bool collect_traversals_at(const syntax::Content& body, const schema::Block& s, const Path& path,
                           std::vector<const syntax::Traversal*>& out) {
  if (path.empty() || !path[0].is_attr) return false;
  std::string_view name = path[0].attr.sv();
  const NestedBlock* n = s.find_block(name);
  bool single = n && is_one(n->nesting);
  if (n && !single) return path.size() > 1;
  Diagnostics ignored;
  syntax::Content part;
  if (const syntax::Attribute* a = body.find(name)) part.attributes.push_back(*a);
  for (const syntax::Block& b : body.blocks) {
    bool plain = b.type == path[0].attr;
    if (!plain && (b.labels.empty() || b.labels[0] != path[0].attr)) continue;  // dynamic "name"
    if (single && plain && path.size() > 1)
      return collect_traversals_at(open_body(b.body, *n->block, ignored), *n->block,
                                   Path(path.begin() + 1, path.end()), out);
    part.blocks.push_back(b);
  }
  collect_traversals(part, s, out);
  return true;
}

}  // namespace xplan::schema
