// What human_plan.cc and human_change.cc share: the diff of a change, made once, judged and then printed.
//
// Who calls it: those two files.  Cost and thread-safety: as diff.h.
#pragma once
#include <string>

#include "core/plan/plan.h"
#include "render/diff.h"
#include "render/human_plan.h"

namespace xplan::render {

// `relevant` null: everything counts.
const Diff* change_diff(const ResourceChange& c, const std::vector<Path>* relevant, Arena& arena);
// One deferred change, with the reason in its header.
void render_deferred(const DeferredChange& d, const HumanOptions& options, std::string& out, Arena& arena);
bool render_change(const ResourceChange& c, const Diff& diff, ChangeCause cause, const HumanOptions& options,
                   std::string& out, Arena& arena);

}  // namespace xplan::render
