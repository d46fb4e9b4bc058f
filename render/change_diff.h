// The parts of a plan's text: what of it is shown, and the diff of a change, made once, judged and then
// printed.
//
// Who calls it: human_plan.cc and human_change.cc, and documents that show single changes.  Cost and
// thread-safety: as diff.h.
#pragma once
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "render/diff.h"
#include "render/human_plan.h"

namespace xplan::render {

// `relevant` null: everything counts.
const Diff* change_diff(const ResourceChange& c, const std::vector<Path>* relevant, Arena& arena,
                        DiffStyle style = DiffStyle::Compat);
// Drift that the plan's text tells of, and which attributes of it the plan reads: of a refresh-only plan all
// of it, and all attributes.
struct ShownDrift {
  const ResourceChange* change;
  std::vector<Path> paths;
};
std::vector<ShownDrift> drift_to_show(const Plan& plan);
// One deferred change, with the reason in its header.
void render_deferred(const DeferredChange& d, const HumanOptions& options, std::string& out, Arena& arena);
bool render_change(const ResourceChange& c, const Diff& diff, ChangeCause cause, const HumanOptions& options,
                   std::string& out, Arena& arena);
// A line or more for each output that changes.
void render_output_changes(const Plan& plan, const HumanOptions& options, std::string& out);
// One output, under that name in so many columns; false, and nothing appended, when it stays as it is.
bool put_output_change(const OutputChange& c, std::string_view name, size_t width,
                       const HumanOptions& options, std::string& out, Arena& arena);

}  // namespace xplan::render
