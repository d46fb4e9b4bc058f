// Validation of a configuration against declared fields, and ready validators.
//
// Who calls it: kit::Provider for every validate call; authors of providers, in declarations.
// Contract: reports a required field that is missing inside nested attributes, a field that only the provider
// may set, deprecated attributes that are set (with their message), and what validators find. Validators see
// known values only, and what is not known yet counts as not set: it may turn out to be null. Cost: linear.
// Thread-safety: pure.
#pragma once
#include "core/provider/kit/schema.h"

namespace xplan::kit {

void validate_fields(const Schema& s, const Value& config, ProviderDiags& diags);

Validator one_of(std::vector<std::string> texts);
Validator length_between(size_t min, size_t max);  // of a string in bytes, of a collection in elements
Validator number_between(int64_t min, int64_t max);
Validator validator(std::string description, std::function<void(const ValidateRequest&, ProviderDiags&)> run);
// Not together with these attributes of the same object (for top-level fields).
Validator conflicts_with(std::vector<std::string> names);

}  // namespace xplan::kit
