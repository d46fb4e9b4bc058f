#include "core/graph/graph.h"

#include <catch2/catch.hpp>
#include <mutex>
#include <random>

#include "core/graph/walk.h"

using namespace xplan;

namespace {
Graph make(uint32_t nodes, std::vector<std::pair<uint32_t, uint32_t>> edges) {
  Graph g(nodes);
  for (auto [a, b] : edges) g.add_edge(a, b);
  g.freeze();
  return g;
}
}  // namespace

TEST_CASE("graph: rows are sorted, unique and without self edges") {
  Graph g = make(4, {{0, 2}, {0, 1}, {0, 2}, {3, 3}, {1, 2}});
  auto d = g.dependencies(0);
  CHECK(std::vector<uint32_t>(d.begin(), d.end()) == std::vector<uint32_t>{1, 2});
  CHECK(g.dependencies(3).empty());
  auto b = g.dependents(2);
  CHECK(std::vector<uint32_t>(b.begin(), b.end()) == std::vector<uint32_t>{0, 1});
}

TEST_CASE("graph: a chain of a million nodes is ordered, walked and searched for cycles") {
  constexpr uint32_t n = 1000000;
  Graph g(n);
  for (uint32_t i = 0; i + 1 < n; ++i) g.add_edge(i, i + 1);
  g.freeze();
  auto order = g.topological_order();
  REQUIRE(order.size() == n);
  CHECK(order.front() == n - 1);
  CHECK(g.cycles().empty());
  uint32_t visited = 0;
  WalkOptions one;
  one.parallelism = 1;
  CHECK(walk(
      g, one, [&](uint32_t) { return ++visited, true; }, [](uint32_t) {}));
  CHECK(visited == n);
}

TEST_CASE("graph: cycles are found as components") {
  Graph g = make(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 3}, {5, 0}});
  CHECK(g.cycles().size() == 2);
  CHECK(g.topological_order().empty());
}

TEST_CASE("graph: marking follows dependencies or dependents") {
  Graph g = make(5, {{0, 1}, {1, 2}, {3, 2}});
  std::vector<bool> m(5);
  m[1] = true;
  g.mark_dependencies(m);
  CHECK(m == std::vector<bool>{false, true, true, false, false});
  std::vector<bool> r(5);
  r[2] = true;
  g.mark_dependents(r);
  CHECK(r == std::vector<bool>{true, true, true, true, false});
}

TEST_CASE("walk: every node follows its dependencies, whatever the parallelism") {
  std::mt19937 random(7);
  Graph g(2000);
  for (uint32_t i = 1; i < 2000; ++i)
    for (int k = 0; k < 3; ++k) g.add_edge(i, random() % i);
  g.freeze();
  for (int parallelism : {1, 2, 10}) {
    std::vector<std::atomic<bool>> done(2000);
    std::atomic<int> wrong{0};
    WalkOptions o;
    o.parallelism = parallelism;
    CHECK(walk(
        g, o,
        [&](uint32_t n) {
          for (uint32_t d : g.dependencies(n)) wrong += !done[d];
          done[n] = true;
          return true;
        },
        [](uint32_t) {}));
    CHECK(wrong == 0);
  }
}

TEST_CASE("walk: what depends on a failed node is skipped, the rest is visited") {
  Graph g = make(5, {{1, 0}, {2, 1}, {4, 3}});
  std::vector<uint32_t> visited, skipped;
  std::mutex m;
  WalkOptions o;
  o.parallelism = 4;
  walk(
      g, o,
      [&](uint32_t n) {
        std::lock_guard lock(m);
        visited.push_back(n);
        return n != 0;
      },
      [&](uint32_t n) { skipped.push_back(n); });
  std::sort(visited.begin(), visited.end());
  std::sort(skipped.begin(), skipped.end());
  CHECK(visited == std::vector<uint32_t>{0, 3, 4});
  CHECK(skipped == std::vector<uint32_t>{1, 2});
}

TEST_CASE("walk: stopping leaves the rest unvisited and says so") {
  Graph g = make(3, {{1, 0}, {2, 1}});
  std::atomic<bool> stop{false};
  WalkOptions o;
  o.parallelism = 2;
  o.stop = &stop;
  int visited = 0;
  CHECK_FALSE(walk(
      g, o, [&](uint32_t) { return ++visited, stop = true, true; }, [](uint32_t) {}));
  CHECK(visited == 1);
}
