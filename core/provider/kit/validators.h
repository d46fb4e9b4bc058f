// Ready validators, of values and of objects, and how to make others.
//
// Who calls it: authors of providers, in declarations: kit::required().validate(kit::matches("^[a-z]+$",
// "…")). Those of objects name attributes of one object: of the whole configuration (Schema::rules), of a
// nested attribute or block, or with each() of its elements. Contract: an unknown or null value is never
// judged; where an attribute is unknown, what another value of it could make right is no error. Errors have
// the path of what is wrong. Cost: linear. Thread-safety: immutable.
#pragma once
#include "core/provider/kit/schema.h"

namespace xplan::kit {

// Of strings. `what` completes "The value must be …"; the pattern is RE2's, and matches anywhere unless
// anchored.
Validator matches(std::string_view pattern, std::string what);
Validator one_of(std::vector<std::string> texts);
Validator none_of(std::vector<std::string> texts);
Validator valid_duration();  // 30s, 1h30m
Validator valid_json();
// Of strings in bytes, of collections in elements; of strings in characters.
Validator length_between(size_t min, size_t max);
Validator length_at_least(size_t min);
Validator length_at_most(size_t max);
Validator characters_between(size_t min, size_t max);
// Of numbers.
Validator number_between(int64_t min, int64_t max);
Validator number_at_least(int64_t min);
Validator number_at_most(int64_t max);
Validator one_of_numbers(std::vector<int64_t> numbers);

// Of every element of a list, set or map; of every key of a map.
Validator each(Validator v);
Validator each_key(Validator v);
// At least one of them has nothing to object.
Validator any_of(std::vector<Validator> all);

// Of objects: how many of these attributes are set.
Validator exactly_one_of(std::vector<std::string> names);
Validator at_least_one_of(std::vector<std::string> names);
Validator at_most_one_of(std::vector<std::string> names);
Validator required_together(std::vector<std::string> names);
// Of an attribute: not together with these, and only together with these, of the same object.
Validator conflicts_with(std::vector<std::string> names);
Validator requires_also(std::vector<std::string> names);

Validator validator(std::string description, std::function<void(const ValidateRequest&, ProviderDiags&)> run);
// Reports `detail` of the value that is validated.
void invalid_value(ProviderDiags& diags, const ValidateRequest& r, std::string detail);

}  // namespace xplan::kit
