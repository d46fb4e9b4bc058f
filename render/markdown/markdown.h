// A plan as a Markdown document: for comments on merge requests, for the summary of a pipeline's step.
//
// Who calls it: cmd (show -markdown, -out-markdown, -github).
// Contract: at most max_bytes, whatever the plan: totals first, then what is riskiest; diffs are folded, and
// left out or cut where there is no room, which is said at the end. Everything that is opened is closed, and
// no character is cut. Nothing from outside is read as markup (markup.h). No sensitive value.
// Cost: linear in the summary's groups, and in the changes whose diffs have room.  Thread-safety: pure.
#pragma once
#include <string>

#include "core/review/review.h"
#include "render/text.h"

namespace xplan::render {

struct MarkdownOptions {
  size_t max_bytes = 65536;  // what GitHub takes as a comment
  std::string product = "xplan";
  std::string more = "xplan show";       // the command that shows all of it
  const SourceTable* sources = nullptr;  // for the places of problems
};

// Empty if not even the headline fits.
std::string render_markdown(const review::Review& review, const MarkdownOptions& options);

}  // namespace xplan::render
