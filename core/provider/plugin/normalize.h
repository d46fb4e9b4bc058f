// Nested blocks that are null become empty collections: providers on the older SDK leave them out, and the
// rest of the engine relies on blocks never being null.
//
// Who calls it: the plugin client, on objects that providers answer with. Contract: only absent collections
// of blocks change; attributes and single blocks stay.  Cost: linear; an object without nulls is shared as it
// is. Thread-safety: pure.
#pragma once
#include "core/schema/schema.h"

namespace xplan::plugin {

Value fill_null_blocks(const schema::Block& block, const Value& v);

}  // namespace xplan::plugin
