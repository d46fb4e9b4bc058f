// Ephemerals: the ephemeral resources that are open in a run: renewed while it lasts, closed when the walk is
// over.
//
// Who calls it: planner and apply.
// Contract: an object that asks for renewal is renewed shortly before the time it names, by one thread that
// starts with the first such object; problems of renewals are reported by close_all. Closing goes in reverse
// address order. Thread-safety: push() from any thread; close_all() once, after the walk.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "core/plan/hooks.h"
#include "core/provider/provider.h"

namespace xplan {

class Ephemerals {
 public:
  ~Ephemerals();
  void push(const AbsInstance& addr, Provider* provider, Symbol type, const OpenEphemeralResponse& opened);
  void close_all(Hooks& hooks, Diagnostics& diags);

 private:
  struct Open {
    AbsInstance addr;
    Provider* provider;
    Symbol type;
    std::string private_data;
    int64_t renew_at;  // seconds since 1970; 0: never
  };
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
