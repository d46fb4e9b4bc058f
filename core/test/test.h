// Running the tests of a configuration: each run block makes a plan or applies it, in memory, and is judged
// by its assertions and by what it expects to fail; in the end, what was created is destroyed again.
//
// Who calls it: cmd.
// Contract: files run one after the other, by name, and their runs in order; after an error the remaining
// runs of a file are skipped, after an assertion that failed they are not. States live in memory, one for
// each module that runs (or state_key), and none of the backend's is touched. Whatever a file has created is
// destroyed, in the reverse order, by the configuration of the last run that changed it; what could not be
// destroyed is told. When the run is to stop, run blocks that were begun are finished, the others are
// skipped, and the same is done. Parallel ones are executed at the same time, as far as none needs another's
// state or outputs. Cost: a load per module that a file runs, and one more for each run block that another is
// beside; a plan and an apply per run block.  Thread-safety: one thread calls; providers are called from
// several.
#pragma once
#include <string>
#include <vector>

#include "core/config/test_suite.h"
#include "core/run/context.h"
#include "core/run/inputs.h"

namespace xplan::test {

// In the order of badness: a file is as bad as the worst of its runs.
enum class Status : uint8_t { Pending, Skip, Pass, Fail, Error };
std::string_view status_name(Status s);  // pass, fail, …

struct RunResult {
  const config::TestRunBlock* block = nullptr;
  Status status = Status::Pending;
  Diagnostics diags;
  size_t failed_assertions = 0;
  std::vector<std::string> assertion_messages;  // of those that may be shown
  double seconds = 0;
  std::string began;  // RFC 3339; empty: it was skipped
};
struct FileResult {
  const config::TestFile* file = nullptr;
  Status status = Status::Pending;  // what could not be cleaned up is an error, too
  std::vector<RunResult> runs;
};
struct Summary {
  Status status = Status::Pass;
  int passed = 0, failed = 0, errored = 0, skipped = 0;
  int interrupted = 0;  // of those skipped: not for an error, but because the run was to stop
};

// What a run has made, for those who want to see it.
struct Outcome {
  const config::Config* config = nullptr;
  const Plan* plan = nullptr;    // of a run that only plans, or could not be applied
  const State* state = nullptr;  // after applying
};

// Hears of the course of the tests. By itself it shows nothing.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void found(const std::vector<const config::TestFile*>& /*files*/) {}
  // What is found before the first run; `diags` may be emptied.
  virtual void noticed(Diagnostics& /*diags*/) {}
  virtual void file_begins(const config::TestFile&) {}
  virtual void run_begins(const config::TestFile&, const config::TestRunBlock&) {}
  virtual void run_ended(const config::TestFile&, const RunResult&, const Outcome&) {}
  virtual void cleanup_begins(const config::TestFile&) {}
  virtual void cleaning_up(const config::TestFile&, const config::TestRunBlock&) {}
  // `left`: objects that could not be destroyed.
  virtual void cleaned_up(const config::TestFile&, const config::TestRunBlock&, const State& /*left*/,
                          const Diagnostics&) {}
  virtual void file_ended(const FileResult&) {}
  virtual void ended(const Summary&) {}
};

// Each object of a state, in order; `deposed`: its key, else empty.
void each_object(const State& state,
                 const std::function<void(const AbsInstance&, const std::string& deposed)>& visit);

class Ledger;

struct Request {
  std::string test_dir = "tests";
  std::vector<std::string> filter;  // paths of test files; empty: all
  run::InputRequest inputs;         // for all tests; what a file or a run sets counts more
  int parallelism = 10;             // of each run, and of runs
  Ledger* ledger = nullptr;         // hears of what exists; null: nobody wants to know
};

struct Results {
  std::shared_ptr<config::TestSuite> suite;  // that the files and runs are of
  std::vector<FileResult> files;
  Summary summary;
};
// Nothing after an error before the first run, which is in `diags`.
std::optional<Results> run_tests(const run::Context& c, const Request& request, Reporter& reporter,
                                 Diagnostics& diags);

}  // namespace xplan::test
