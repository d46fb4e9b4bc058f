// A Provider whose work is done by a plugin.
//
// Who calls it: the factory makes them. Contract: see Provider; nothing is started before the first call that
// needs a plugin. configure() gives the instance a session of its own; before that, and for an instance that
// is never configured, calls share a session. Cost: as the calls'.  Thread-safety: any thread.
#pragma once
#include <memory>

#include "core/provider/plugin/entry.h"
#include "core/provider/provider.h"

namespace xplan::plugin {

std::shared_ptr<Provider> make_instance(std::shared_ptr<Entry> entry);

}  // namespace xplan::plugin
