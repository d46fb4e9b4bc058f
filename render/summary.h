// The summary of a plan: as text for people, and as JSON.
//
// Who calls it: cmd (plan -summary, show -summary [-json], and the end of a long plan on a terminal).
// Contract: no sensitive value is printed. The JSON document has a version of its own: members may be added,
// their meaning stays. Cost: linear in the groups; text is bounded for each risk, JSON has every address.
// Thread-safety: pure functions.
#pragma once
#include <string>

#include "core/base/json_writer.h"
#include "core/review/summary.h"
#include "render/text.h"

namespace xplan::render {

void render_summary(const review::Summary& summary, const HumanOptions& options, std::string& out);
// What "Plan: 2 to add, 0 to change, 2 to destroy." hides, a line below it; nothing if nothing is replaced.
void put_replacements(const review::Summary& summary, const HumanOptions& options, std::string& out);
void write_summary_json(const review::Summary& summary, JsonWriter& w);

}  // namespace xplan::render
