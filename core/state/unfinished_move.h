// A move to another state that was begun and not ended, as the journal of the first state has it; and whether
// that can be so: whoever can write beside a state could write a journal, and have its reader run anything.
//
// Who calls it: journaled_store.cc, journal_look.cc; the commands that show journals, and state mv.
// Contract: a command is shown as one to run only where nothing in the record speaks against it: it is a move
// as this program writes one, of the objects that the record lists, which this state has, out of this state.
// Cost: linear in the objects moved; the beginning of a file is read. Thread-safety: pure but for reading.
#pragma once
#include <string>
#include <vector>

#include "core/state/store.h"

namespace xplan {

inline constexpr std::string_view kUnfinishedMove = "Unfinished move to another state";

// The first record of such a journal, which has no others; null: none.
const JournalRecord* unfinished_move_of(const std::vector<JournalRecord>& records);

// Why the record cannot be of a move out of this state, as the end of a sentence; empty: it can.
std::string doubt_of_move(const JournalRecord& moving, const std::string& path, const State& here);

// The beginning of a message that goes on in a paragraph of its own.
std::string unfinished_move_text(const JournalRecord& moving, const std::string& path, const State& here);

}  // namespace xplan
