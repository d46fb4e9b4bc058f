// A plan as text for people: drift, resource changes, output changes, the summary line.
//
// Who calls it: cmd (plan, show, the question before an apply).
// Contract: diffs, headers, notes and the summary line have the exact form that reviewers and tools know;
// prose around them is ours. No sensitive value is printed unless HumanOptions::show_sensitive says so. Cost:
// linear in the changes, but for list pairing, which is bounded (see pairing.h). Thread-safety: pure
// functions of an immutable plan.
#pragma once
#include <string>

#include "core/plan/plan.h"
#include "render/text.h"

namespace xplan::render {

// The whole text, from the note about drift to the outputs. A plan without anything to show says "No
// changes."
void render_plan(const Plan& plan, const HumanOptions& options, const Sink& sink);
void render_plan(const Plan& plan, const HumanOptions& options, std::string& out);

// What stands in place of a plan that could not be made, before the errors.
void render_failed_plan(const HumanOptions& options, std::string& out);

// What render_plan() counts and prints as its last line: "Plan: 1 to add, 0 to change, 0 to destroy."
std::string plan_summary(const Plan& plan, const HumanOptions& options);

// One change with its header; false (and nothing appended) when there is nothing to show.
enum class ChangeCause { Proposed, Drift };
bool render_change(const ResourceChange& change, ChangeCause cause, const HumanOptions& options,
                   std::string& out);

}  // namespace xplan::render
