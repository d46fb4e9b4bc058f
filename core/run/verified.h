// When objects were last compared with what there really is: a clock beside the working copy, for
// -refresh=stale>DURATION.
//
// Who calls it: run/plan.cc and run/apply.cc, where it is kept.
// Place: DATA_DIR/verified/WORKSPACE.json, readable by its owner only; a note of this working copy, as that
// of the last apply. It begins with the first plan that asks for it, and is kept from then on by every plan
// and apply; where states are encrypted there is none. Contract: it counts for the state's lineage only, and
// a damaged one is none: then everything is to be read again. Writing it never makes a run fail. Cost: linear
// in the objects. Thread-safety: one thread; trusted() may be called from any.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>

#include "core/plan/plan.h"
#include "core/plan/planner.h"
#include "core/run/context.h"

namespace xplan::run {

using VerifiedTimes = std::unordered_map<std::string, std::string>;  // address → RFC 3339, UTC

// The text of a clock, and what one says; the latter is empty for another lineage, or when it is damaged.
std::string clock_text(const VerifiedTimes& times, const std::string& lineage);
VerifiedTimes clock_times(std::string_view text, const std::string& lineage);
// What a plan has read, or left unread, brings a clock up to date; what is gone leaves it.
void note_plan(const Plan& plan, bool refreshed, const std::string& now, VerifiedTimes& times);

// Objects that were read less than so long ago need not be read again. Begins the clock where there is none.
void trust_recent(const Context& c, const State& state, int64_t millis, PlanOptions& o);
// After a plan was made, and after an apply, whose changes count as read.
void keep_verified(const Context& c, const Plan& plan, bool refreshed);
void keep_verified(const Context& c, const Plan& plan, const State& written);
// Where states are encrypted.
void forget_verified(const Context& c);

}  // namespace xplan::run
