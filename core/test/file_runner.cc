// The course of a file: its runs in order, or concurrently where they are parallel.
#include "core/test/file_runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <list>
#include <mutex>

#include "core/base/clock.h"
#include "core/base/threads.h"
#include "core/test/kept.h"
#include "core/test/loaded.h"
#include "core/test/schedule.h"

namespace xplan::test {
namespace {

using Clock = std::chrono::steady_clock;

// A run that was begun.
struct Course {
  size_t index = 0;  // of the file's runs
  Clock::time_point start = Clock::now();
  Loaded* loaded = nullptr;
  Kept* kept = nullptr;
  std::optional<Execution> execution;  // none: it cannot be executed
  Executed done;
  std::exception_ptr thrown = nullptr;
  std::thread thread;
  ~Course() {
    if (thread.joinable()) thread.join();  // another one has thrown
  }
};

class FileRunner {
 public:
  FileRunner(const run::Context& c, const Request& request, const config::TestPlace& place,
             const config::Config& under_test, const config::TestFile& file, Reporter& reporter)
      : context_(c),
        working_(c),
        request_(request),
        reporter_(reporter),
        ledger_(*request.ledger),
        configurations_(c, place, under_test),
        states_(*request.ledger) {
    working_.stop = nullptr;
    result_.file = &file;
    for (const config::TestRunBlock& r : file.runs) result_.runs.emplace_back().block = &r;
    of_providers_ = providers_read_runs(file, c.sources);
  }

  FileResult run(config::InputValues values) {
    reporter_.file_begins(*result_.file);
    problems_ = add_file_values(*result_.file, values);
    values_ = std::move(values);
    run_all();
    for (const RunResult& r : result_.runs) result_.status = std::max(result_.status, r.status);
    if (result_.runs.empty()) result_.status = Status::Pass;
    if (!states_.clean_up(*result_.file, reporter_)) result_.status = Status::Error;
    reporter_.file_ended(result_);
    return std::move(result_);
  }

 private:
  bool stopping() const { return context_.stop && context_.stop->load(); }

  void run_all() {
    const std::vector<std::vector<size_t>> waits = waits_for(*result_.file, context_.sources);
    std::vector<bool> begun(waits.size());
    ended_.assign(waits.size(), false);
    for (bool progress = true; progress;) {
      progress = false;
      for (size_t i = 0; i < waits.size(); ++i) {
        if (begun[i] || skipping_ || stopping() || under_way_.size() >= limit()) continue;
        if (!std::all_of(waits[i].begin(), waits[i].end(), [&](size_t j) { return ended_[j]; })) continue;
        begun[i] = progress = true;
        begin(i);
      }
      if (!under_way_.empty()) end(next_finished()), progress = true;
    }
    for (size_t i = 0; i < waits.size(); ++i) {
      if (begun[i]) continue;
      result_.runs[i].status = Status::Skip;
      reporter_.run_ended(*result_.file, result_.runs[i], {});
    }
  }
  size_t limit() const { return static_cast<size_t>(std::max(request_.parallelism, 1)); }

  void begin(size_t i) {
    RunResult& r = result_.runs[i];
    reporter_.run_begins(*result_.file, *r.block);
    Course& c = under_way_.emplace_back();
    c.index = i;
    r.began = utc_now();
    c.loaded = &configurations_.take(*result_.file, *r.block);
    r.diags.append(std::move(c.loaded->problems));
    c.loaded->problems.clear();
    if (c.loaded->usable && !r.diags.has_errors()) prepare(c, r);
    auto work = [this, &c, &r] {
      try {
        if (c.execution) c.done = execute(*c.execution, c.kept->state, r);
      } catch (...) {
        c.thrown = std::current_exception();
      }
      const std::lock_guard guard(lock_);
      finished_.push_back(&c);
      one_finished_.notify_one();
    };
    if (r.block->parallel && c.execution) c.thread = optional_thread(work);
    if (!c.thread.joinable()) work();
  }

  // Of the earlier runs that a run reads: with those of all, each would have a type of its own that is as
  // large as the file.
  Value outputs_for(const config::TestRunBlock& block) const {
    const std::unordered_set<Symbol> read = runs_read_by(block);
    std::vector<std::pair<Symbol, Value>> out;
    for (const auto& [name, outputs] : outputs_)
      if (of_providers_ || read.contains(name)) out.emplace_back(name, outputs);
    return Value::object(
        out.size() < read.size() ? outputs_ : std::move(out));  // for a message that names those there are
  }

  void prepare(Course& c, RunResult& r) {
    Loaded& loaded = *c.loaded;
    const config::TestRunBlock& block = loaded.run(r.block->name);
    loaded.given.run = outputs_for(*r.block);
    RunValues given =
        run_values(block, *loaded.config->root->module, values_, problems_, loaded.given.run, r.diags);
    if (r.diags.has_errors()) return;
    loaded.given.var = given.all;
    const auto providers = std::make_shared<StandIns>(context_.providers, context_.sources, loaded, block);
    loaded.given.outputs_of = [providers](const ModuleInstance& m) { return providers->outputs_of(m); };
    c.kept = &states_.of(block);
    c.execution.emplace(Execution{working_, loaded, block, std::move(given), providers, request_.parallelism,
                                  ledger_, result_.file->path + "/" + std::string(block.name.sv())});
    if (!block.plan) states_.begin(*c.kept, *c.execution);
  }

  std::list<Course>::iterator next_finished() {
    std::unique_lock guard(lock_);
    one_finished_.wait(guard, [&] { return !finished_.empty(); });
    const Course* c = finished_.front();
    finished_.pop_front();
    return std::find_if(under_way_.begin(), under_way_.end(), [&](const Course& x) { return &x == c; });
  }

  void end(std::list<Course>::iterator it) {
    Course& c = *it;
    if (c.thread.joinable()) c.thread.join();
    if (c.thrown) std::rethrow_exception(c.thrown);
    RunResult& r = result_.runs[c.index];
    if (c.done.applied) states_.end(*c.kept, std::move(*c.execution), c.index);
    if (c.done.planned) outputs_.emplace_back(r.block->name, c.done.outputs);
    if (r.diags.has_errors() && r.status == Status::Pending) r.status = Status::Error;
    if (!c.loaded->usable) r.status = Status::Error;
    r.seconds = std::chrono::duration<double>(Clock::now() - c.start).count();
    Outcome outcome;
    if (c.done.planned) {
      outcome.config = c.loaded->config.get();
      if (c.done.applied)
        outcome.state = &c.done.state;
      else
        outcome.plan = &c.done.plan;
    }
    reporter_.run_ended(*result_.file, r, outcome);
    skipping_ = skipping_ || r.status == Status::Error;
    ended_[c.index] = true;
    c.loaded->taken = false;
    under_way_.erase(it);
  }

  const run::Context& context_;
  // What was begun is finished, and what was created is destroyed, in spite of an interrupt.
  run::Context working_;
  const Request& request_;
  Reporter& reporter_;
  Ledger& ledger_;
  Configurations configurations_;
  FileResult result_;
  config::InputValues values_;
  ProblemsOf problems_;  // of the file's variables
  KeptStates states_;
  std::vector<std::pair<Symbol, Value>> outputs_;
  bool of_providers_ = false;  // provider blocks read them
  bool skipping_ = false;
  std::vector<bool> ended_;
  std::mutex lock_;
  std::condition_variable one_finished_;
  std::deque<Course*> finished_;  // with the lock only
  std::list<Course> under_way_;   // the last one, since its threads use the others
};

}  // namespace

FileResult run_file(const run::Context& c, const Request& request, const config::TestPlace& place,
                    const config::Config& under_test, const config::TestFile& file,
                    config::InputValues values, Reporter& reporter) {
  return FileRunner(c, request, place, under_test, file, reporter).run(std::move(values));
}

}  // namespace xplan::test
