// Graph algorithms and the parallel walk: order, cycles, failures, parts, limits on concurrency, stopping,
// exceptions.
#include "core/graph/graph.h"

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "core/graph/walk.h"
#include "tests/support/few_threads.h"

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
  CHECK(walk(g, one, [&](uint32_t) { return ++visited, true; }).complete);
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
    CHECK(walk(g, o, [&](uint32_t n) {
            for (uint32_t d : g.dependencies(n)) wrong += !done[d];
            done[n] = true;
            return true;
          }).complete);
    CHECK(wrong == 0);
  }
}

namespace {

// A visitor made of functions.
struct Visits : Visitor {
  std::function<size_t(uint32_t)> parts = [](uint32_t) { return 0; };
  std::function<void(uint32_t, size_t)> run = [](uint32_t, size_t) {};
  std::function<bool(uint32_t)> finish = [](uint32_t) { return true; };
  std::function<bool(uint32_t)> is_light = [](uint32_t) { return false; };
  std::function<void(uint32_t)> skip = [](uint32_t) {};
  std::function<bool(uint32_t)> does_block = [](uint32_t) { return true; };
  std::vector<uint32_t> left_out;
  size_t begin(uint32_t n) override { return parts(n); }
  void part(uint32_t n, size_t i) override { run(n, i); }
  bool end(uint32_t n) override { return finish(n); }
  void skipped(uint32_t n) override { skip(n), left_out.push_back(n); }
  bool blocks(uint32_t, uint32_t n) override { return does_block(n); }
  bool light(uint32_t n) override { return is_light(n); }
};

// Counts how many are inside at once.
class Gate {
 public:
  // Waits, but not for ever, until so many are inside.
  void pass(int expected) {
    std::unique_lock lock(mutex_);
    peak = std::max(peak, ++inside_);
    wake_.notify_all();
    wake_.wait_for(lock, std::chrono::seconds(5), [&] { return peak >= expected; });
    --inside_;
  }
  int peak = 0;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  int inside_ = 0;
};

}  // namespace

TEST_CASE("walk: what depends on a failed node is skipped, the rest is visited") {
  Graph g = make(5, {{1, 0}, {2, 1}, {4, 3}});
  std::vector<uint32_t> visited;
  std::mutex m;
  Visits v;
  v.finish = [&](uint32_t n) {
    std::lock_guard lock(m);
    visited.push_back(n);
    return n != 0;
  };
  CHECK(walk(g, {4}, v).complete);
  std::sort(visited.begin(), visited.end());
  std::sort(v.left_out.begin(), v.left_out.end());
  CHECK(visited == std::vector<uint32_t>{0, 3, 4});
  CHECK(v.left_out == std::vector<uint32_t>{1, 2});
}

TEST_CASE("walk: stopping leaves the rest unvisited and says so") {
  Graph g = make(3, {{1, 0}, {2, 1}});
  std::atomic<bool> stop{false};
  int visited = 0;
  CHECK_FALSE(walk(g, {2, &stop}, [&](uint32_t) { return ++visited, stop = true, true; }).complete);
  CHECK(visited == 1);
}

TEST_CASE("walk: every part runs once, after the node's dependencies, and before its end") {
  std::mt19937 random(11);
  constexpr uint32_t kNodes = 300;
  Graph g(kNodes);
  for (uint32_t i = 1; i < kNodes; ++i)
    for (int k = 0; k < 2; ++k) g.add_edge(i, random() % i);
  g.freeze();
  for (int parallelism : {1, 2, 10, 65000}) {
    std::vector<std::atomic<uint32_t>> ran(kNodes);
    std::vector<std::atomic<bool>> ended(kNodes);
    std::atomic<int> wrong{0};
    Visits v;
    v.is_light = [](uint32_t n) { return n % 7 == 0; };
    v.parts = [&](uint32_t n) {
      for (uint32_t d : g.dependencies(n)) wrong += !ended[d];
      return n % 5 ? n % 40 : 0;
    };
    v.run = [&](uint32_t n, size_t) { wrong += ended[n].load(), ++ran[n]; };
    v.finish = [&](uint32_t n) {
      wrong += ran[n] != (n % 5 ? n % 40 : 0);
      return ended[n] = true;
    };
    CHECK(walk(g, {parallelism}, v).complete);
    CHECK(wrong == 0);
  }
}

TEST_CASE("walk: as many calls as allowed are under way, of one node or of several, and never more") {
  constexpr int kParallelism = 7;
  struct Shape {
    uint32_t nodes, parts;
  };
  for (Shape s : {Shape{1, 30}, Shape{30, 0}, Shape{10, 3}, Shape{2, 7}}) {
    Gate gate;
    Visits v;
    v.parts = [&](uint32_t) { return s.parts; };
    v.run = [&](uint32_t, size_t) { gate.pass(kParallelism); };
    v.finish = [&](uint32_t) {
      if (!s.parts) gate.pass(kParallelism);
      return true;
    };
    CHECK(walk(make(s.nodes, {}), {kParallelism}, v).complete);
    CHECK(gate.peak == kParallelism);
  }
}

TEST_CASE("walk: calls that wait in a pause let others run, and come back only when there is room") {
  constexpr int kParallelism = 3;
  constexpr size_t kParts = 20;
  struct Shape {
    uint32_t nodes, parts;
  };
  for (Shape s : {Shape{1, kParts}, Shape{kParts, 0}}) {
    Pauses pauses;
    std::mutex mutex;
    std::condition_variable changed;
    size_t waiting = 0, active = 0, most = 0;
    auto run = [&] {
      auto enter = [&] { most = std::max(most, ++active); };
      std::unique_lock lock(mutex);
      enter();
      --active, ++waiting;
      lock.unlock();
      pauses.during([&] {  // nobody comes back before all are here
        std::unique_lock inner(mutex);
        changed.notify_all();
        changed.wait(inner, [&] { return waiting == kParts; });
      });
      lock.lock();
      enter();
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
      --active;
    };
    Visits v;
    v.parts = [&](uint32_t) { return s.parts; };
    v.run = [&](uint32_t, size_t) { run(); };
    v.finish = [&](uint32_t) {
      if (!s.parts) run();
      return true;
    };
    CHECK(walk(make(s.nodes, {}), {kParallelism, nullptr, &pauses}, v).complete);
    CHECK(waiting == kParts);
    CHECK(most <= kParallelism);
    CHECK(pauses.during([] { return 5; }) == 5);  // outside of a walk, too
  }
}

TEST_CASE("walk: no more calls are paused at once than agreed, and with one thread none is") {
  for (size_t parallelism : {1, 2}) {
    Pauses pauses;
    std::atomic<size_t> inside{0}, most{0};
    const size_t allowed = parallelism == 1 ? 1 : parallelism * (1 + Pauses::kPausedEach);
    auto done = parallel_for(200, {int(parallelism), nullptr, &pauses}, [&](size_t) {
      const size_t now = ++inside;
      for (size_t m = most; now > m && !most.compare_exchange_weak(m, now);) {
      }
      pauses.during([&] { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
      --inside;
    });
    CHECK(done.complete);
    CHECK(most <= allowed);
  }
}

TEST_CASE("walk: no more calls wait before they begin than run") {
  for (size_t parallelism : {2, 5}) {
    Pauses pauses;
    std::atomic<size_t> announced{0}, working{0}, most{0};
    std::atomic<bool> crowded{false};
    auto done = parallel_for(60, {int(parallelism), nullptr, &pauses}, [&](size_t) {
      const size_t now = ++announced;
      for (size_t m = most; now > m && !most.compare_exchange_weak(m, now);) {
      }
      pauses.during([&] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, true);
      if (++working > parallelism) crowded = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --working, --announced;
      pauses.during([&] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
    });
    CHECK(done.complete);
    CHECK_FALSE(crowded);
    CHECK(most > parallelism);
    CHECK(most <= 3 * parallelism);
  }
}

TEST_CASE("walk: after a stop no part is begun, and what was begun is ended") {
  Graph g = make(3, {{1, 0}});
  for (int parallelism : {1, 4}) {
    std::atomic<bool> stop{false};
    std::atomic<int> ran{0}, ends{0};
    Visits v;
    v.parts = [](uint32_t n) { return n == 2 ? 0 : 100; };
    v.run = [&](uint32_t, size_t) { ++ran, stop = true; };
    v.finish = [&](uint32_t n) { return ends += n == 0, true; };
    CHECK_FALSE(walk(g, {parallelism, &stop}, v).complete);
    CHECK(ran >= 1);
    CHECK(ran <= parallelism);
    CHECK(ends == 1);
  }
}

TEST_CASE("walk: an exception ends the walk, not the program, and what was begun is ended") {
  Graph g = make(2, {{1, 0}});
  for (int parallelism : {1, 4}) {
    for (int where : {0, 1, 2}) {
      std::atomic<int> ends{0}, later{0};
      auto fail = [&](int here) {
        if (where == here) throw std::runtime_error("no more");
      };
      Visits v;
      v.parts = [&](uint32_t n) { return later += n, fail(0), 8; };
      v.run = [&](uint32_t, size_t i) { i == 3 ? fail(1) : void(); };
      v.finish = [&](uint32_t) { return ++ends, fail(2), true; };
      WalkOutcome o = walk(g, {parallelism}, v);
      CHECK_FALSE(o.complete);
      CHECK(o.exception == "no more");
      CHECK(later == 0);
      CHECK(ends == (where != 0));
    }
  }
  CHECK(parallel_for(5, {2}, [](size_t) { throw std::bad_alloc(); }).exception == "out of memory");
}

TEST_CASE("walk: where threads cannot be made, it goes on with those there are") {
  std::mt19937 random(11);
  Graph g(300);
  for (uint32_t i = 1; i < 300; ++i) g.add_edge(i, random() % i);
  g.freeze();
  for (int threads : {0, 1, 3}) {
    test::FewThreads few(threads);
    std::atomic<int> inside{0}, peak{0}, parts{0}, ends{0};
    Visits v;
    v.parts = [](uint32_t n) { return n % 4; };
    v.run = [&](uint32_t, size_t) {
      int now = ++inside;
      for (int p = peak; p < now && !peak.compare_exchange_weak(p, now);) {
      }
      ++parts, --inside;
    };
    v.finish = [&](uint32_t) { return ++ends, true; };
    CHECK(walk(g, {10}, v).complete);
    CHECK(parts == 75 * (1 + 2 + 3));
    CHECK(ends == 300);
    CHECK(peak <= threads + 1);
  }
}

TEST_CASE("walk: an exception while others are told or looked at ends the walk, not the program") {
  Graph g = make(10, {{1, 0}, {2, 1}, {4, 3}, {5, 3}, {6, 3}, {7, 3}, {8, 3}, {9, 3}});
  for (int parallelism : {1, 4})
    for (int where : {0, 1, 2, 3}) {
      auto fail = [&](int here) {
        if (where == here) throw std::runtime_error("no more");
      };
      Visits v;
      v.is_light = [&](uint32_t n) { return fail(n == 0 ? 0 : n == 9 ? 1 : -1), false; };
      v.does_block = [&](uint32_t) { return fail(2), true; };
      v.skip = [&](uint32_t n) { fail(n == 2 ? 3 : -1); };
      v.finish = [](uint32_t n) { return n != 0; };
      WalkOutcome o = walk(g, {parallelism}, v);
      CHECK_FALSE(o.complete);
      CHECK(o.exception == "no more");
    }
}
