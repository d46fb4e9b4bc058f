// Why a plan changes what it changes, as text for people and as JSON (explain.md describes the document).
//
// Who calls it: cmd (explain, and plan -explain for the lines under the headers of changes).
// Contract: what is sensitive is hidden, long values are shortened in text; whatever stands in names and
// values is escaped.  Cost: linear in the reasons and their steps.  Thread-safety: as CauseFinder.
#pragma once
#include <string>

#include "core/base/json_writer.h"
#include "core/review/explained.h"
#include "render/text.h"

namespace xplan::render {

// "  # why: …" lines, one a reason.
void put_why_lines(review::CauseFinder& finder, const ResourceChange& c, int width, std::string& out);
// The line that says that the last apply made this change already; nothing where it did not.
void put_repeated_lines(review::CauseFinder& finder, const ResourceChange& c, int width, std::string& out);
void render_explanation(review::CauseFinder& finder, const review::Explained& what,
                        const HumanOptions& options, const Sink& sink);
void write_explanation_json(review::CauseFinder& finder, const review::Explained& what, JsonWriter& w);

// One reason as a sentence: "input follows from terraform_data.a, and cannot be changed in place".
std::string sentence(const review::Why& w);

}  // namespace xplan::render
