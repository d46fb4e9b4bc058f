// What one part of an object is made of: the references in its attribute or blocks.
//
// Who calls it: plan, for relevant attributes.
// Cost: linear in the part's expressions.  Thread-safety: pure.
#pragma once
#include <vector>

#include "core/schema/schema.h"

namespace xplan::schema {

// As collect_traversals, for the part that a path into the object names. False when that is everything: the
// object as a whole, or all blocks of a type that may stand there many times. Of a single one of those
// nothing is said.
bool collect_traversals_at(const syntax::Content& body, const Block& schema, const Path& path,
                           std::vector<const syntax::Traversal*>& out);

}  // namespace xplan::schema
