// walk: visits the nodes of a graph in dependency order, and the parts of a node concurrently, on one bounded
// pool of threads.
//
// Who calls it: plan and apply, with a Visitor each.
// Contract: begin(n) runs after end() of every dependency of n, and says how many parts n has; the parts run
// on any threads in any order; end(n) runs after all of them. A part writes only results of its own, which
// end(n) puts together in the order of the parts, so the outcome does not depend on the number of threads. A
// node whose end() returns false has failed: everything that depends on it, directly or not, is not visited
// and reported through skipped(n). When `stop` or `halt` becomes true, or a visitor throws, nothing more is
// begun, no node and no part; what runs is finished, and every node that was begun is ended, so that nothing
// that was done is lost. Nobody ever waits for a part of his own: a thread that has no part or node to run
// takes another one's. At most `parallelism` calls of the visitor run at the same time, besides those that
// wait in a Pause; there are no more threads than that, nor than there was ever work for; one that cannot be
// made is done without. Priority: among what is ready, that with the longest chain of dependents goes first
// (critical path), ties by number. Cost: O(nodes + edges + parts), 44 bytes a node, one lock operation for
// each node and part. Thread-safety: a visitor is called from several threads concurrently; skipped(),
// light() and blocks() one at a time, under the walk's own lock.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/graph/graph.h"

namespace xplan {

// What lets a visitor's call wait without holding up others: for a record on its way to a server, say, which
// is no work. Its owner gives it to a walk, and may use it outside of one, where it does nothing. A walk lets
// at most kPausedEach times its parallelism wait in this way, and starts nothing while three times its
// parallelism are at work or wait to begin; one with parallelism 1 stays serial.
class Pauses {
 public:
  class Walker {  // the walk's side
   public:
    virtual bool pause(bool begins) = 0;  // false: nothing to resume
    virtual void resume(bool begins) = 0;

   protected:
    ~Walker() = default;
  };
  static constexpr size_t kPausedEach = 20;
  // Calls `wait` on this thread, which a part of this walk runs on; meanwhile another part may run. Returns
  // what it returns, once this part may run again. `begins`: what the part is there for comes after that;
  // once the walk is to stop, such a part does not wait for its turn, since it only takes back what it said.
  template <class F>
  auto during(F&& wait, bool begins = false) {
    struct Pause {
      Pause(Walker* w, bool b) : walker(w && w->pause(b) ? w : nullptr), begins(b) {}
      ~Pause() {
        if (walker) walker->resume(begins);
      }
      Walker* const walker;
      const bool begins;
    } pause(walker_, begins);
    return wait();
  }

  void attach(Walker* w) { walker_ = w; }  // by the walk, before and after its threads

 private:
  Walker* walker_ = nullptr;
};

struct WalkOptions {
  int parallelism = 10;  // with 1 (or less) everything runs on the calling thread
  const std::atomic<bool>* stop = nullptr;
  Pauses* pauses = nullptr;
  const std::atomic<bool>* halt = nullptr;  // as stop: for whoever has a reason of his own
};

class Visitor {
 public:
  virtual ~Visitor() = default;
  virtual size_t begin(uint32_t /*node*/) { return 0; }
  virtual void part(uint32_t /*node*/, size_t /*part*/) {}
  virtual bool end(uint32_t node) = 0;
  virtual void skipped(uint32_t /*node*/) {}
  // Nodes that cost nothing: while one of them is ready or running, nothing else is started.
  virtual bool light(uint32_t /*node*/) { return false; }
  // Whether the failure of a node keeps this dependent from being visited.
  virtual bool blocks(uint32_t /*failed*/, uint32_t /*dependent*/) { return true; }
};

struct WalkOutcome {
  bool complete = false;       // every node was visited or skipped; else it was stopped, or there is a cycle
  std::string exception;       // what a visitor threw, which ended the walk; empty: nothing
  bool out_of_memory = false;  // that was it
};

WalkOutcome walk(const Graph& g, const WalkOptions& options, Visitor& visitor);

// For nodes without parts.
WalkOutcome walk(const Graph& g, const WalkOptions& options, const std::function<bool(uint32_t)>& visit);

// Calls f(i) for every i below n, as the parts of a single node.
WalkOutcome parallel_for(size_t n, const WalkOptions& options, const std::function<void(size_t)>& f);

}  // namespace xplan
