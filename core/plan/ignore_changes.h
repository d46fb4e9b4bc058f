// ignore_changes: the configuration as it would be if the ignored parts said what the prior object says.
//
// Who calls it: planner and apply, before the proposed object is made; never for a creation.
// Rule: per ignored path the prior value takes the place of the configured one; map keys and object
// attributes that exist on one side only are added or left out. `all` takes the prior object without what
// only the provider decides. Cost: linear in the object per ignored path.  Thread-safety: pure.
#pragma once
#include "core/config/config.h"

namespace xplan {

Value apply_ignore_changes(const config::Resource& r, const Value& prior, const Value& config);

}  // namespace xplan
