// Which references are to deprecated attributes.
//
// Who calls it: cmd, once for a run that validates or plans; a plan that is applied later has had its
// warnings. Contract: one warning for every place, however often it is evaluated. A deprecated argument that
// is given a value is the business of its provider, which is asked to validate it and warns in its own words.
// Cost: linear in the references.  Thread-safety: reads only.
#pragma once
#include "core/config/config.h"

namespace xplan::config {

void warn_of_deprecated(const Config& config, Diagnostics& diags);

}  // namespace xplan::config
