// Connection blocks as targets of core/remote, and how they are announced.
//
// Who calls it: remote_provisioners.cc, with values that were checked (plan/provisioner_check.h).
// Contract: what is not set has the defaults of the reference tools; a bastion's login is that of the target
// where it has none of its own. Cost: copies of texts.  Thread-safety: pure functions.
#pragma once
#include "core/apply/provisioner.h"
#include "core/remote/target.h"

namespace xplan::applying {

Result<remote::Target> target_of(const Value& connection);
// Who connects to what, and with which kinds of secrets; sensitive values are not shown.
void announce(const remote::Target& t, const ProvisionerCall& c);

}  // namespace xplan::applying
