// Graph algorithms on compressed rows, all iterative: freezing (sort and deduplicate), topological order,
// strongly connected components, reachability.
#include "core/graph/graph.h"

#include <algorithm>
#include <queue>

#include "core/base/check.h"

namespace xplan {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

// Rows of `edges` by their first (or second) member, sorted and unique.
void fill_rows(const Edges& edges, uint32_t nodes, bool by_first, std::vector<uint32_t>& targets,
               std::vector<uint32_t>& start) {
  start.assign(nodes + 1, 0);
  for (const auto& [a, b] : edges) ++start[(by_first ? a : b) + 1];
  for (uint32_t i = 0; i < nodes; ++i) start[i + 1] += start[i];
  targets.resize(edges.size());
  std::vector<uint32_t> next(start.begin(), start.end() - 1);
  for (const auto& [a, b] : edges) targets[next[by_first ? a : b]++] = by_first ? b : a;
  uint32_t out = 0;
  for (uint32_t n = 0; n < nodes; ++n) {
    uint32_t begin = start[n], end = start[n + 1];
    std::sort(targets.begin() + begin, targets.begin() + end);
    start[n] = out;
    for (uint32_t i = begin; i < end; ++i)
      if (targets[i] != n && (out == start[n] || targets[out - 1] != targets[i])) targets[out++] = targets[i];
  }
  start[nodes] = out;
  targets.resize(out);
  targets.shrink_to_fit();
}

}  // namespace

void Graph::freeze() {
  fill_rows(edges_, nodes_, true, forward_, forward_start_);
  fill_rows(edges_, nodes_, false, backward_, backward_start_);
  edges_.clear();
  edges_.shrink_to_fit();
}

std::vector<uint32_t> Graph::topological_order() const {
  XPLAN_CHECK(is_frozen());
  std::vector<uint32_t> waiting(nodes_), order;
  order.reserve(nodes_);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t n = 0; n < nodes_; ++n) {
    waiting[n] = static_cast<uint32_t>(dependencies(n).size());
    if (!waiting[n]) ready.push(n);
  }
  while (!ready.empty()) {
    uint32_t n = ready.top();
    ready.pop();
    order.push_back(n);
    for (uint32_t d : dependents(n))
      if (--waiting[d] == 0) ready.push(d);
  }
  return order;
}

std::vector<std::vector<uint32_t>> Graph::cycles() const {
  XPLAN_CHECK(is_frozen());
  constexpr uint32_t kUnseen = UINT32_MAX;
  std::vector<uint32_t> index(nodes_, kUnseen), low(nodes_), stack;
  std::vector<bool> on_stack(nodes_);
  std::vector<std::pair<uint32_t, uint32_t>> frames;  // node, next dependency
  std::vector<std::vector<uint32_t>> found;
  uint32_t counter = 0;
  for (uint32_t root = 0; root < nodes_; ++root) {
    if (index[root] != kUnseen) continue;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      auto& [n, next] = frames.back();
      if (next == 0) {
        index[n] = low[n] = counter++;
        stack.push_back(n);
        on_stack[n] = true;
      }
      auto deps = dependencies(n);
      bool descended = false;
      while (next < deps.size()) {
        uint32_t d = deps[next++];
        if (index[d] == kUnseen) {
          frames.push_back({d, 0});
          descended = true;
          break;
        }
        if (on_stack[d]) low[n] = std::min(low[n], index[d]);
      }
      if (descended) continue;
      uint32_t done = n;
      frames.pop_back();
      if (!frames.empty()) low[frames.back().first] = std::min(low[frames.back().first], low[done]);
      if (low[done] != index[done]) continue;
      std::vector<uint32_t> component;
      uint32_t member;
      do {
        member = stack.back();
        stack.pop_back();
        on_stack[member] = false;
        component.push_back(member);
      } while (member != done);
      if (component.size() > 1) {
        std::sort(component.begin(), component.end());
        found.push_back(std::move(component));
      }
    }
  }
  return found;
}

void Graph::mark(const std::vector<uint32_t>& targets, const std::vector<uint32_t>& start,
                 std::vector<bool>& marked) const {
  XPLAN_CHECK(is_frozen() && marked.size() == nodes_);
  std::vector<uint32_t> todo;
  for (uint32_t n = 0; n < nodes_; ++n)
    if (marked[n]) todo.push_back(n);
  while (!todo.empty()) {
    uint32_t n = todo.back();
    todo.pop_back();
    for (uint32_t t : row(targets, start, n))
      if (!marked[t]) marked[t] = true, todo.push_back(t);
  }
}

}  // namespace xplan
