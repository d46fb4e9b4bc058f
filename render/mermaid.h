// Graphs in the language of Mermaid, which code hosts draw in Markdown.
//
// Who calls it: cmd (graph -format=mermaid).
// Contract: whatever names contain, a line is a statement: labels are quoted, and what ends them is written
// as an entity. Nodes and edges come in the order of what is given.  Cost: linear.  Thread-safety: pure
// functions.
#pragma once
#include "core/review/operation_graph.h"
#include "render/text.h"

namespace xplan::render {

void write_mermaid(const review::ResourceGraph& graph, const Sink& sink);   // grouped by module
void write_mermaid(const review::OperationGraph& graph, const Sink& sink);  // cycles in red

}  // namespace xplan::render
