// Ephemerals: the ephemeral resources that are open in a run: renewed while it lasts, closed when the walk is
// over.
//
// Who calls it: planner and apply.
// Contract: an object that asks for renewal is renewed at the time it names, several concurrently, so that a
// slow answer lets no other object expire; problems of renewals are reported by close_all. What was opened
// with values of another is closed before it, everything else concurrently; problems come in a fixed order.
// Cost: a thread for each object that asks for renewal, up to `parallelism`; O(log objects) a renewal.
// Thread-safety: push() from any thread; close_all() once, after the walk; hooks are called from any thread.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

#include "core/plan/config_graph.h"
#include "core/plan/hooks.h"
#include "core/provider/provider.h"

namespace xplan {

class Ephemerals {
 public:
  // For renewals.
  explicit Ephemerals(int parallelism = 10, Hooks& hooks = no_hooks());
  ~Ephemerals();
  void push(uint32_t node, const AbsInstance& addr, Provider* provider, const OpenEphemeralResponse& opened);
  void close_all(const ConfigGraph& cg, int parallelism, Hooks& hooks, Diagnostics& diags);

 private:
  struct Open {
    uint32_t node;
    AbsInstance addr;
    Provider* provider;
    std::string private_data;
    Diagnostics problems;  // of renewals
  };
  struct Due {
    int64_t at;  // seconds since 1970
    Open* object;
    friend bool operator<(const Due& a, const Due& b) {
      return a.at > b.at;
    }  // the soonest is the queue's top
  };
  static void close(const Open& o, Hooks& hooks, Diagnostics& diags);
  void renew_when_due();
  void renew(Due due, std::unique_lock<std::mutex>& guard);
  void stop_renewing();

  const size_t max_renewers_;
  Hooks& hooks_;
  std::mutex lock_;
  std::condition_variable wake_;
  std::deque<Open> open_;  // entries stay where they are
  std::priority_queue<Due> due_;
  std::vector<std::thread> renewers_;
  bool done_ = false;
};

}  // namespace xplan
