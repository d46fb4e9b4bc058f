// The states of a file's runs, and destroying what is in them.
//
// Who calls it: file_runner.cc.
// Contract: runs with the same key share a state. What was changed last is destroyed first, by the
// configuration of the run that changed it, whose objects were given as they were then. Cost: a look-up per
// state of a file; clean_up() as planning and applying.  Thread-safety: one thread; a state belongs to the
// run that is executed with it.
#pragma once
#include <list>
#include <optional>
#include <string>

#include "core/test/run_block.h"
#include "core/test/test.h"

namespace xplan::test {

// A state and who is to destroy what it has.
struct Kept {
  std::string key;
  State state;
  std::optional<Execution> last;  // that changed it
  config::Given given;            // of then
  size_t index = 0;               // of that run
};

class KeptStates {
 public:
  explicit KeptStates(Ledger& ledger) : ledger_(ledger) {}
  Kept& of(const config::TestRunBlock& run);  // stays where it is
  // A run is about to change the state.
  void begin(const Kept& kept, const Execution& x);
  // It has; `index`: of the run in its file.
  void end(Kept& kept, Execution&& x, size_t index);
  // False: something is left, or went wrong.
  bool clean_up(const config::TestFile& file, Reporter& reporter);

 private:
  Ledger& ledger_;
  std::list<Kept> all_;
};

}  // namespace xplan::test
