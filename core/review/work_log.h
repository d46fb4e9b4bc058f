// What an apply did, for those who look back on it: how many operations of each kind, which failed, which
// took longest.
//
// Who fills it: cmd, from the hooks of an apply.  Who reads it: cmd, when the apply is over.
// Invariant: `longest` is sorted, the longest first, and bounded; `failed` has every failed operation in the
// order of their ends. Cost: constant per operation that succeeds.  Thread-safety: add() from any thread;
// the rest when nobody adds any more.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "core/addr/addr.h"
#include "core/diag/diagnostic.h"
#include "core/plan/actions.h"
#include "core/state/state.h"

namespace xplan::review {

struct Operation {
  AbsInstance addr;
  std::string deposed;  // key of the deposed object; empty: the current one
  Action action = Action::NoOp;
  double seconds = 0;
};

class WorkLog {
 public:
  static constexpr size_t kLongest = 5;
  void add(Operation op, bool failed);
  size_t done(Action a) const { return done_[static_cast<size_t>(a)]; }
  size_t done() const;
  const std::vector<Operation>& failed() const { return failed_; }
  const std::vector<Operation>& longest() const { return longest_; }

 private:
  mutable std::mutex lock_;
  size_t done_[kActions] = {};
  std::vector<Operation> failed_, longest_;
};

// What became of an object whose operation failed, and with it what is to be done.
enum class Aftermath : uint8_t { NotCreated, Tainted, MayHaveChanged, StillExists, NotRead };

struct Failure {
  const Operation* operation;
  Aftermath aftermath;
};
// Operations that failed for the same reason, in the same words.
struct FailureGroup {
  std::string summary, detail;    // of the error; empty: none was reported
  Range place;                    // of the first
  std::vector<Failure> failures;  // by address
};
// The largest groups first. `after`: the state that results.
std::vector<FailureGroup> failures_by_cause(const WorkLog& work, const Diagnostics& diags,
                                            const State& after);

}  // namespace xplan::review
