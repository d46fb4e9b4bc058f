// walk: visits the nodes of a graph in dependency order on a pool of threads.
//
// Who calls it: plan and apply.
// Contract: visit(n) runs after visit() of every dependency of n returned; it writes only to n's own results,
// so the outcome does not depend on the number of threads. A node whose visit returns false has failed:
// everything that depends on it, directly or not, is not visited and is reported through skipped(n). When
// `stop` becomes true no further node is started; what was not visited is then neither visited nor skipped.
// Priority: among ready nodes the one with the longest chain of dependents goes first (critical path), ties
// by number. Cost: O(nodes + edges) and one lock operation a node. Thread-safety: visit is called from
// several threads at once; skipped is called under the walk's own lock.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

#include "core/graph/graph.h"

namespace xplan {

struct WalkOptions {
  int parallelism = 10;  // at least 1; with 1 everything runs on the calling thread
  const std::atomic<bool>* stop = nullptr;
  // Nodes that cost nothing: while one of them is ready or running, no other node is started. Unset: none.
  std::function<bool(uint32_t)> light;
  // Says whether the failure of a node keeps this dependent from being visited; unset: always.
  std::function<bool(uint32_t failed, uint32_t dependent)> blocks;
};

// Returns false when some node was not visited because of `stop` or a cycle.
bool walk(const Graph& g, const WalkOptions& options, const std::function<bool(uint32_t)>& visit,
          const std::function<void(uint32_t)>& skipped);

// Calls f(i) for every i below n, on up to `parallelism` threads; returns when all calls did.
void parallel_for(size_t n, int parallelism, const std::function<void(size_t)>& f);

}  // namespace xplan
