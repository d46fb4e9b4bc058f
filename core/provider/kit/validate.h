// Validation of a configuration against declared fields.
//
// Who calls it: kit::Provider for every validate call.
// Contract: reports a required field that is missing inside nested attributes, a field that only the provider
// may set, deprecated attributes that are set (with their message), and what validators find. Validators see
// known values only, and what is not known yet counts as not set: it may turn out to be null. Cost: linear.
// Thread-safety: pure.
#pragma once
#include "core/provider/kit/schema.h"

namespace xplan::kit {

void validate_fields(const Schema& s, const Value& config, ProviderDiags& diags);

}  // namespace xplan::kit
