// The edges between kept nodes: against a definition by paths, on random graphs, and on shapes of their own.
#include "core/graph/reduce.h"

#include <catch2/catch.hpp>
#include <random>

using xplan::EdgeList;
using xplan::Graph;
using xplan::reduced_edges;

namespace {

Graph graph_of(uint32_t nodes, const EdgeList& edges) {
  Graph g(nodes);
  for (const auto& [a, b] : edges) g.add_edge(a, b);
  g.freeze();
  return g;
}

// As the contract says it: a path from a to b, and no kept node on any path between them.
EdgeList by_definition(uint32_t nodes, const EdgeList& edges, const std::vector<bool>& kept) {
  std::vector<std::vector<bool>> path(nodes, std::vector<bool>(nodes));
  for (const auto& [a, b] : edges) path[a][b] = true;
  for (uint32_t m = 0; m < nodes; ++m)
    for (uint32_t a = 0; a < nodes; ++a)
      for (uint32_t b = 0; b < nodes; ++b) path[a][b] = path[a][b] || (path[a][m] && path[m][b]);
  EdgeList out;
  for (uint32_t a = 0; a < nodes; ++a)
    for (uint32_t b = 0; b < nodes; ++b) {
      if (!kept[a] || !kept[b] || !path[a][b]) continue;
      bool between = false;
      for (uint32_t m = 0; m < nodes; ++m) between = between || (kept[m] && path[a][m] && path[m][b]);
      if (!between) out.emplace_back(a, b);
    }
  return out;
}

}  // namespace

TEST_CASE("reduced edges: as defined, on random graphs") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const uint32_t nodes = 1 + random() % 14;
    EdgeList edges;
    for (uint32_t i = random() % (nodes * 3); i > 0; --i) {
      const uint32_t a = random() % nodes, b = random() % nodes;
      if (a > b) edges.emplace_back(a, b);
    }
    std::vector<bool> kept(nodes);
    for (uint32_t n = 0; n < nodes; ++n) kept[n] = random() % 3 != 0;
    INFO("round " << round);
    CHECK(*reduced_edges(graph_of(nodes, edges), kept) == by_definition(nodes, edges, kept));
  }
}

TEST_CASE("reduced edges: in a cycle every edge stays") {
  const EdgeList edges{{0, 1}, {0, 2}, {1, 2}, {2, 1}};
  CHECK(*reduced_edges(graph_of(3, edges), {true, true, true}) == edges);
}

TEST_CASE("reduced edges: none where there would be too many") {
  EdgeList edges;
  for (uint32_t i = 0; i < 10; ++i) edges.emplace_back(i, 10), edges.emplace_back(10, 11 + i);
  std::vector<bool> kept(21, true);
  CHECK(reduced_edges(graph_of(21, edges), kept, 20)->size() == 20);
  CHECK(!reduced_edges(graph_of(21, edges), kept, 19));
  kept[10] = false;  // each of ten reads each of ten
  CHECK(!reduced_edges(graph_of(21, edges), kept, 99));
  CHECK(reduced_edges(graph_of(21, edges), kept, 100)->size() == 100);
}

TEST_CASE("reduced edges: long chains are linear, whatever else all of them read") {
  constexpr uint32_t kNodes = 200000;
  for (const uint32_t back : {10u, 1000u, kNodes}) {  // kNodes: the first of all
    EdgeList edges;
    for (uint32_t i = 1; i < kNodes; ++i) {
      edges.emplace_back(i, i - 1);
      if (i > 1) edges.emplace_back(i, i > back ? i - back : 0);
    }
    CHECK(reduced_edges(graph_of(kNodes, edges), std::vector<bool>(kNodes, true))->size() == kNodes - 1);
  }
}

TEST_CASE("reduced edges: layers that read all layers below are linear in their edges") {
  constexpr uint32_t kLayers = 60, kWidth = 40;
  EdgeList edges;
  for (uint32_t a = 0; a < kLayers * kWidth; ++a)
    for (uint32_t b = 0; b < a / kWidth * kWidth; ++b) edges.emplace_back(a, b);
  const std::vector<bool> kept(kLayers * kWidth, true);
  CHECK(reduced_edges(graph_of(kLayers * kWidth, edges), kept)->size() == (kLayers - 1) * kWidth * kWidth);
}
