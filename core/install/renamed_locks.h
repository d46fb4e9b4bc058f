// Entries of lock files that were written for another default registry.
//
// Who calls it: init, providers lock and providers mirror, before they look for packages.
// Contract: in OpenTofu's dialect, where the default registry is not Terraform's, what is needed from there
// and has no entry gets the version that the file selects for the provider of the same name in Terraform's
// namespace "hashicorp", without its hashes, which are those of other packages. This is told as a warning.
// Cost: linear in what is needed.  Thread-safety: one thread.
#pragma once
#include "core/install/lock_file.h"
#include "core/install/requirements.h"

namespace xplan::install {

void take_over_selections(LockFile& lock, const Requirements& needed, Diagnostics& diags);

}  // namespace xplan::install
