// Ledger: which objects of tests exist at the moment, for whoever has to end before they are destroyed.
//
// Who writes it: applying, as its journal; the runner, what states have when an apply begins and ends. Who
// reads it: cmd, when a second interrupt ends everything.
// Invariant: an object is in it from before it is created until after it is destroyed. Cost: a look-up per
// change.  Thread-safety: any thread.
#pragma once
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "core/state/store.h"

namespace xplan::test {

class Ledger {
 public:
  struct Objects {
    bool main = true;                       // of the module under test, in the state that its runs share
    std::set<std::string> existing, begun;  // addresses; begun: being created
    bool any() const { return !existing.empty() || !begun.empty(); }
  };
  using Runs = std::map<std::string, Objects>;  // by "FILE/RUN"
  // The objects of a state belong to this run from now on, instead of to the run before.
  void assign(const std::string& before, const std::string& run, bool main, const State& state);
  Runs runs() const;

  class Writer : public Journal {
   public:
    Writer(Ledger& ledger, std::string run) : ledger_(ledger), run_(std::move(run)) {}
    Result<void> append(const JournalRecord& r) override;

   private:
    Ledger& ledger_;
    const std::string run_;
  };

 private:
  mutable std::mutex lock_;
  Runs runs_;
};

}  // namespace xplan::test
