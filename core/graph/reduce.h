// The edges between some nodes of a graph, past all others, without those that follow from the rest: what a
// person wants to see of a dense graph.
//
// Who calls it: graph (the command), review/change_graph.h.
// Contract: the graph is frozen. A pair (a, b) is in the result exactly where a path leads from a to b, both
// kept, and no other kept node is on any path between them; with cycles, exactly where a path does that
// passes no other kept node. Cost: for each edge between
// kept nodes the logarithm of their number; a walk of what is behind a node only where neither of two
// numberings of the graph says whether it reaches another (tree intervals, and GRAIL: Yildirim et al., 2010).
// Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace xplan {

using EdgeList = std::vector<std::pair<uint32_t, uint32_t>>;

// Sorted by node numbers. Nothing where there would be more than `most` edges before the reduction.
std::optional<EdgeList> reduced_edges(const Graph& g, const std::vector<bool>& kept, size_t most = SIZE_MAX);

}  // namespace xplan
