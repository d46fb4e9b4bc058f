// A journal that an earlier run has left: what is in it, and how it stands to the state that is there.
//
// Who calls it: journaled_store.cc; the commands that show journals and replace states.
// Contract: what is in it is as it was written; nothing is folded. Cost: linear. Thread-safety: pure.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/state/journal.h"

namespace xplan {

inline constexpr std::string_view kMisfit = "Journal does not fit the state";

struct LeftJournal {
  enum class Fit : uint8_t {
    Fits,        // the next run takes it in
    Misfit,      // something else has written the state since, so nobody can
    Unreadable,  // nobody can either
    InUse        // the run is at work
  } fit = Fit::Fits;
  std::string name;  // as messages name it
  std::string why;   // Unreadable; InUse: behind "the journal"
  JournalContent content;
  State state;                 // that is there
  bool no_time_tells = false;  // InUse: its run may have ended, but only whoever knows that can say so
};

// Of a file that was kept of one, with no state to compare it with.
Result<LeftJournal> read_journal_copy(std::string bytes, const std::string& name, crypt::Codec& codec);

// What message lists show of the objects of one state that another one, `other`, does not have at their
// addresses, or has with another ID: addresses with IDs.
std::vector<std::string> objects_missing(const State& from, const State& in,
                                         std::string_view other = "the state");
// A warning of what was only in a state that `now` has replaced at `path`; `kept`: where a copy of it is.
// False: nothing.
bool report_lost(const std::string& path, const std::string& kept, const State& before, const State& now,
                 Diagnostics& diags);
// Of the objects that a journal has and the state does not, those that may have been created included.
std::vector<std::string> only_in_journal(const JournalContent& j, const State& now);
// Whether the state has all that the journal says of objects, so that nothing is lost with the journal.
bool has_all_of(const State& now, const JournalContent& j);
// A name that no file in the working directory has, for a copy of a journal.
std::string free_journal_name();
// Of the objects that a journal has as complete, those that are tainted in the state, from what another run
// found in it before the last of its records were there.
std::vector<std::string> complete_in_journal(const JournalContent& j, const State& now);
inline constexpr std::string_view kCompleteInJournal =
    "These objects are tainted in the state, but the journal has the result of their creation:";
std::string how_to_untaint();
// Nothing of these belongs into the state, whatever has been written since.
bool only_begun(const std::vector<JournalRecord>& records);
// "belongs to an older version of the state \"PATH\" (serial 1; it is now at serial 2)"
std::string journal_and_state(const JournalContent& j, const State& now, const std::string& path);
// For a journal that nobody can take in: how it is set aside, as a paragraph that ends with the command.
// `which`: the option that names its state, with a space; "": that of the workspace.
std::string how_to_discard(const std::string& which);

}  // namespace xplan
