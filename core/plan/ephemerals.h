// Ephemerals: the ephemeral resources that are open in a run, to be closed when the walk is over.
//
// Who calls it: planner and apply.  Thread-safety: push() from any thread; close_all() once, after the walk.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "core/plan/hooks.h"
#include "core/provider/provider.h"

namespace xplan {

class Ephemerals {
 public:
  void push(const AbsInstance& addr, Provider* provider, Symbol type, std::string private_data) {
    std::lock_guard guard(lock_);
    open_.push_back({addr, provider, type, std::move(private_data)});
  }
  void close_all(Hooks& hooks, Diagnostics& diags);

 private:
  struct Open {
    AbsInstance addr;
    Provider* provider;
    Symbol type;
    std::string private_data;
  };
  std::mutex lock_;
  std::vector<Open> open_;
};

}  // namespace xplan
