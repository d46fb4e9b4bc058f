// Ephemerals: the ephemeral resources that are open in a run: renewed while it lasts, closed when the walk is
// over.
//
// Who calls it: planner and apply.
// Contract: an object that asks for renewal is renewed shortly before the time it names, by one thread that
// starts with the first such object; problems of renewals are reported by close_all. What was opened with
// values of another is closed before it, everything else at once; problems come in a fixed order.
// Thread-safety: push() from any thread; close_all() once, after the walk. Cost: one thread in a run that has
// something to renew, else none; a close per open object.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "core/plan/config_graph.h"
#include "core/plan/hooks.h"
#include "core/provider/provider.h"

namespace xplan {

class Ephemerals {
 public:
  ~Ephemerals();
  void push(uint32_t node, const AbsInstance& addr, Provider* provider, const OpenEphemeralResponse& opened);
  void close_all(const ConfigGraph& cg, int parallelism, Hooks& hooks, Diagnostics& diags);

 private:
  struct Open {
    uint32_t node;
    AbsInstance addr;
    Provider* provider;
    std::string private_data;
    int64_t renew_at;  // seconds since 1970; 0: never
  };
  static void close(const Open& o, Hooks& hooks, Diagnostics& diags);
  void renew_when_due();
  void stop_renewing();

  std::mutex lock_;
  std::condition_variable wake_;
  std::deque<Open> open_;  // entries stay where they are
  Diagnostics problems_;
  std::thread renewer_;
  bool done_ = false;
};

}  // namespace xplan
