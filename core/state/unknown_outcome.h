// What to say of a change that was announced and of whose end nobody knows: the program or the provider
// stopped before there was an answer that can be read. Whether it had begun is not known either: a record of
// that would cost each change a second wait for the journal.
//
// Who calls it: the report on a journal that was left over; apply, when it ended early; the plugin client,
// when an apply call fails.
// Contract: sentences for a message, in the order of addresses, whatever the order of the intents. Cost:
// linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/state/store.h"

namespace xplan {

// For the end of a message that names the object. action: "create", "delete"; anything else is an update.
// many: of several objects.
std::string_view unknown_outcome_advice(std::string_view action, bool many = false);

// Names the objects of these intents, why nobody knows ("because …"), and what follows from it.
std::string unknown_outcome_text(const std::vector<JournalRecord>& intents, std::string_view why);

// Without creations whose object the state has: what came of them is known.
void drop_known_outcomes(std::vector<JournalRecord>& intents, const State& state);

// A list for a message, its end left out where it is long.
void put_objects(std::string& text, const std::vector<std::string>& objects, size_t most = 50);

}  // namespace xplan
