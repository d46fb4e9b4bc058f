// Why a plan changes what it changes, as text for people and as JSON.
//
// Who calls it: cmd (explain, and plan -explain for the lines under the headers of changes).
// Contract: what is printed are addresses, names of attributes and of variables, no values.  Cost: linear in
// the reasons.  Thread-safety: as CauseFinder.
#pragma once
#include <string>

#include "core/base/json_writer.h"
#include "core/plan/causes.h"
#include "render/text.h"

namespace xplan::render {

// "  # why: …" lines, one a reason.
void put_why_lines(CauseFinder& finder, const ResourceChange& c, int width, std::string& out);
// Every change with its reasons, or of `only` (if any) each change and everything it follows from, first
// causes first.
using Changes = std::vector<const ResourceChange*>;
void render_explanation(const Plan& plan, CauseFinder& finder, const Changes& only,
                        const HumanOptions& options, std::string& out);
// {"format_version", "changes": [{address, deposed?, action, causes: […]}]} in the same order.
void write_explanation_json(const Plan& plan, CauseFinder& finder, const Changes& only, JsonWriter& w);

}  // namespace xplan::render
