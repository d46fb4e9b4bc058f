// Graphs in the DOT language.
//
// Who calls it: cmd (show -graph; graph).
// Contract: whatever names contain, a line is a statement, and what could act on a terminal is shown escaped.
// Nodes and edges come in the order of what is given.  Cost: linear.  Thread-safety: pure functions.
#pragma once
#include "core/review/change_graph.h"
#include "core/review/operation_graph.h"
#include "render/text.h"

namespace xplan::render {

// A node for the changes of each resource, an edge to what each follows from or comes after.
void write_dot(const review::ChangeGraph& graph, const Sink& sink);

// As the reference tools read them, to the byte: resources grouped by module; all that an operation visits,
// nodes and edges sorted.
void write_dot(const review::ResourceGraph& graph, const Sink& sink);
void write_dot(const review::OperationGraph& graph, const Sink& sink);

}  // namespace xplan::render
