// State files of format 1 to 3, which Terraform before 0.12 wrote.  Who calls it: read_state.
// Contract: every object is taken over; attributes stay in their flat form until a provider
// upgrades them. What cannot be understood is an error: an object that is left out would be forgotten for
// good. Dependencies are not taken over: the old lists mix modules, instances and resources, and the next
// apply records them again from the configuration. Cost: one JSON tree; such files are small.  Thread-safety:
// pure.
#pragma once
#include "core/state/state.h"

namespace xplan {

// major.minor.patch and so on, with an optional -pre and +build part: what every format has as its writer's
// version. In read.cc.
bool valid_version(std::string_view s);

Result<State> upgrade_state(int version, std::shared_ptr<const std::string> text);

}  // namespace xplan
