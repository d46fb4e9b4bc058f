// What is wrong with a module by itself, whatever its providers and the modules that it calls are: conditions
// that cannot fail or that ask about their own resource, triggers that are not resources, destroy-time
// provisioners that read what may be gone, provisioners of the past, settings that must be constants.
//
// Who calls it: load.cc, once per module, for init too, so that nothing is installed for a configuration that
// can never be used; bind.cc asks what has been refused here already, so that it is not reported twice.
// Contract: looks at expressions as they are written; nothing is bound yet. What depends on declarations is
// reported by bind.cc. Cost: linear in the expressions that it looks at.  Thread-safety: one thread per
// module.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

void check_structure(const Module& m, Diagnostics& diags);

// Whether the traversal begins with the address of the resource.
bool refers_to(const syntax::Traversal& t, const xplan::Resource& r);

// What an element of replace_triggered_by may be made of: resources, and the key of the instance.
enum class TriggerPart : uint8_t { Resource, Repetition, Other };
TriggerPart trigger_part(const syntax::Traversal& t);

// chef and others, which are refused for what they are.
bool is_gone_provisioner(Symbol type);

}  // namespace xplan::config
