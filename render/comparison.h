// How the effects of two plans differ: as text for people, and as JSON.
//
// Who calls it: cmd (diff, apply -expect).
// Contract: no sensitive value is printed. The JSON document has a version of its own: members may be added,
// their meaning stays. Cost: linear in the differences; the lists of text are bounded, JSON has all of them.
// Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/review/compare.h"
#include "render/text.h"

namespace xplan::render {

struct PlanNames {
  std::string_view older, newer;  // "older plan", "newer plan"
};
// The differences, riskiest first; then, where both plans set values, the diff from those of the older plan
// to those of the newer one.
void render_comparison(const review::PlanComparison& c, const PlanNames& names, const HumanOptions& options,
                       const Sink& sink);

std::string difference_subject(const review::Difference& d);  // "output.release": what differs, for messages

struct ComparedPlan {
  std::string_view file, digest;
};
void write_comparison_json(const review::PlanComparison& c, const ComparedPlan& older,
                           const ComparedPlan& newer, JsonWriter& w);

}  // namespace xplan::render
