// What to say of a change that was begun and of whose end nobody knows: the program or the provider stopped
// before there was an answer that can be read.
//
// Who calls it: the report on a journal that was left over; the plugin client, when an apply call fails.
// Contract: sentences for the end of a message that names the object. Cost: none.  Thread-safety: pure.
#pragma once
#include <string_view>

namespace xplan {

// action: "create", "delete"; anything else is an update.
std::string_view unknown_outcome_advice(std::string_view action);

}  // namespace xplan
