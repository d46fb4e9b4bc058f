// Ready plan modifiers, and equivalences for normalization.
//
// Who calls it: authors of providers, in declarations:
// string("id").computed().modify(use_state_for_unknown()). None of them does anything on destruction, and
// none that requires replacement on creation. Each carries a description. Cost: constant, plus the comparison
// of the values. Thread-safety: immutable.
#pragma once
#include <functional>
#include <string>

#include "core/provider/kit/schema.h"

namespace xplan::kit {

// A change of the value (unknown counts as a change) replaces the object.
PlanModifier requires_replace();
// The same, when the condition holds as well; it is asked only about a change. `description` says when.
PlanModifier requires_replace_if(std::function<bool(const ModifyRequest&)> condition,
                                 std::string description);
// The same, when the configuration sets the value.
PlanModifier requires_replace_if_configured();
// For computed values that never change: a value that would be unknown keeps what the state has, unless that
// is null or the configuration itself is unknown.
PlanModifier use_state_for_unknown();
// A modifier of one's own.
PlanModifier modifier(std::string description,
                      std::function<void(const ModifyRequest&, ModifyResponse&)> run);

// Equivalences of strings.
bool same_ignoring_case(const Value& a, const Value& b);  // ASCII letters
bool same_trimmed(const Value& a, const Value& b);        // whitespace at both ends
bool same_json(const Value& a, const Value& b);           // as JSON documents; otherwise as strings

}  // namespace xplan::kit
