// Graph: a directed graph over dense node numbers in compressed rows, built once, then read.
//
// Who calls it: plan and apply (they own the payloads in arrays of their own), config (cycles).
// Meaning of an edge (a, b): a depends on b, so b comes first.
// Invariant: after freeze() rows are sorted and free of duplicates and self edges.
// Cost: 8 bytes an edge while building and 8 after, both together during freeze(); freeze is linear (two
// bucket passes). All algorithms are iterative, so a chain of a million nodes works.  Thread-safety: const
// functions may run concurrently. Why not adjacency sets: a hash-set graph of 1M nodes and 3M edges needs
// twenty times the memory and time.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace xplan {

class Graph {
 public:
  explicit Graph(uint32_t nodes = 0) : nodes_(nodes) {}
  uint32_t add_node() { return nodes_++; }
  void add_edge(uint32_t from, uint32_t to) { edges_.emplace_back(from, to); }  // from depends on to
  void freeze();
  bool is_frozen() const { return forward_start_.size() == nodes_ + size_t{1}; }  // what follows needs it
  uint32_t size() const { return nodes_; }
  std::span<const uint32_t> dependencies(uint32_t n) const { return row(forward_, forward_start_, n); }
  std::span<const uint32_t> dependents(uint32_t n) const { return row(backward_, backward_start_, n); }

  // Nodes in an order in which every node follows its dependencies, lowest number first among the free ones.
  // Shorter than size() when there are cycles.
  std::vector<uint32_t> topological_order() const;
  // Strongly connected components of more than one node, each in ascending node order (Tarjan 1972).
  std::vector<std::vector<uint32_t>> cycles() const;
  // Marks everything reachable from the marked nodes, along dependencies or dependents.
  void mark_dependencies(std::vector<bool>& marked) const { mark(forward_, forward_start_, marked); }
  void mark_dependents(std::vector<bool>& marked) const { mark(backward_, backward_start_, marked); }

 private:
  static std::span<const uint32_t> row(const std::vector<uint32_t>& targets,
                                       const std::vector<uint32_t>& start, uint32_t n) {
    return {targets.data() + start[n], targets.data() + start[n + 1]};
  }
  void mark(const std::vector<uint32_t>& targets, const std::vector<uint32_t>& start,
            std::vector<bool>& marked) const;
  uint32_t nodes_;
  std::vector<std::pair<uint32_t, uint32_t>> edges_;
  std::vector<uint32_t> forward_, forward_start_, backward_, backward_start_;
};

}  // namespace xplan
