// What the last apply did, kept on this machine for the plan after it: values of variables, locals and
// outputs before they change, and attributes that it set, so that a difference which comes back each time is
// noticed.
//
// Who calls it: run/apply.cc keeps it, run/plan.cc compares.
// Place: DATA_DIR/last_apply/WORKSPACE.json (.terraform/last_apply/default.json), readable by its owner only,
// wherever the state is: it is a note of this working copy, not part of the state, and other machines have
// their own. Contract: it counts only for the very state that this apply wrote (lineage and serial); without
// it, or when it is damaged, plans just know less. Nothing that is sensitive or ephemeral is in it. Writing
// it never makes a run fail. Cost: linear in the values kept and the attributes that were updated, at most
// kMostSet of these.  Thread-safety: one thread.
#pragma once
#include "core/plan/plan.h"
#include "core/run/context.h"

namespace xplan::run {

inline constexpr size_t kMostSet = 20'000;

// The note itself; and comparing with one. False: it is damaged, and the plan is as it was.
std::string note_of_apply(const Plan& plan, const State& written, bool complete);
bool compare_with_note(std::string_view note, const State& state, Plan& plan);

// After the state was written. `complete`: everything that was planned has been done.
void keep_last_apply(const Context& c, const Plan& plan, const State& written, bool complete);
// Where states are encrypted, nothing of what was applied is kept in the clear.
void forget_last_apply(const Context& c);
// Fills what the plan says of the last apply: NamedValue::before and Plan::repeated.
void compare_with_last_apply(const Context& c, const State& state, Plan& plan);

}  // namespace xplan::run
