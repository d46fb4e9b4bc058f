// A plan as one HTML page: what would change, why, and what it costs, for a browser without a network.
//
// Who calls it: cmd (show -html).
// Contract: the page has everything in itself and asks for nothing; its policy lets only its own style and
// script run. Diffs are the terminal's. No sensitive value is in it; what could act on a browser, a terminal
// or the order of text is shown instead. The script keeps diffs as text until somebody opens them; without
// it, the summary and the first changes can still be read. Cost: linear in the plan, one diff in memory at a
// time.  Thread-safety: as CauseFinder.
#pragma once
#include "core/review/change_graph.h"
#include "render/text.h"

namespace xplan::render {

struct PageInput {
  const Plan& plan;
  const review::Summary& summary;
  const Diagnostics& problems;  // of planning
  const SourceTable& sources;
  const review::ChangeGraph& graph;
  const review::DataTypes& types;
  review::CauseFinder& causes;
};

void write_html(const PageInput& in, const HumanOptions& options, const Sink& sink);

}  // namespace xplan::render
