// What values of for_each mean, wherever it stands.
//
// Who calls it: expand.cc, for resources and module calls; providers.cc, for provider configurations.
// Cost: linear in the elements.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/addr/addr.h"
#include "core/value/value.h"

namespace xplan::config {

// Why for_each cannot have a value, known or not, as sentences; "" if it can.
std::string unsuitable_for_each(const Value& v);
// Whether the keys are not known yet.
bool for_each_unknown(const Value& v);
// Of a suitable value that is known: each key with its value, in order.
std::vector<std::pair<InstanceKey, Value>> for_each_elements(const Value& v);

}  // namespace xplan::config
