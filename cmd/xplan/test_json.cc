// The course of tests as messages of the JSON stream.
#include <mutex>

#include "cmd/xplan/test_messages.h"
#include "cmd/xplan/test_reports.h"
#include "cmd/xplan/test_ticker.h"

namespace xplan::cmd {
namespace {

std::string_view json_word(test::Status s) {
  return s == test::Status::Error ? "fail" : test::status_name(s);
}

class JsonReport : public TestReport {
 public:
  JsonReport(Session& s, bool verbose)
      : out_(s),
        verbose_(verbose),
        ticker_([this](const TestTicker::Running& w, const config::TestRunBlock& r, int64_t milliseconds) {
          const std::lock_guard guard(lock_);
          w.cleaning ? out_.run(*w.file, r, "tearing down", "teardown", {}, milliseconds)
                     : out_.run(*w.file, r, "in progress", "running", {}, milliseconds);
        }) {}

  void found(const std::vector<const config::TestFile*>& files) override {
    const std::lock_guard guard(lock_);
    out_.found(files);
  }
  void noticed(Diagnostics& diags) override {
    const std::lock_guard guard(lock_);
    out_.diagnostics(diags);
    diags.clear();
  }
  void file_begins(const config::TestFile& f) override {
    const std::lock_guard guard(lock_);
    out_.file(f, "in progress", "starting");
  }
  void run_begins(const config::TestFile& f, const config::TestRunBlock& r) override {
    const std::lock_guard guard(lock_);
    out_.run(f, r, "in progress", "starting", {});
    ticker_.start(f, r, false);
  }
  void run_ended(const config::TestFile& f, const test::RunResult& r, const test::Outcome& made) override {
    ticker_.stop(*r.block);
    const std::lock_guard guard(lock_);
    out_.run(f, *r.block, json_word(r.status), "complete", test::status_name(r.status));
    if (verbose_) out_.made(made);
    out_.diagnostics(r.diags);
  }
  void cleanup_begins(const config::TestFile& f) override {
    const std::lock_guard guard(lock_);
    out_.file(f, "tearing down", "teardown");
  }
  void cleaning_up(const config::TestFile& f, const config::TestRunBlock& r) override {
    const std::lock_guard guard(lock_);
    out_.run(f, r, "tearing down", "teardown", {});
    ticker_.start(f, r, true);
  }
  void cleaned_up(const config::TestFile& f, const config::TestRunBlock& r, const State& left,
                  const Diagnostics& diags) override {
    ticker_.stop(r);
    const std::lock_guard guard(lock_);
    out_.left_behind(f, r, left);
    out_.diagnostics(diags);
  }
  void interrupted(std::string_view meaning, const test::Ledger::Runs& left) override {
    const std::lock_guard guard(lock_);
    out_.interrupted(meaning, left);
  }
  void file_ended(const test::FileResult& f) override {
    const std::lock_guard guard(lock_);
    out_.file(*f.file, json_word(f.status), "complete", test::status_name(f.status));
  }
  void ended(const test::Summary& n) override {
    const std::lock_guard guard(lock_);
    out_.summary(n);
  }

 private:
  TestMessages out_;
  const bool verbose_;
  std::mutex lock_;    // one message after the other
  TestTicker ticker_;  // goes first
};

}  // namespace

std::unique_ptr<TestReport> json_test_report(Session& s, bool verbose) {
  return std::make_unique<JsonReport>(s, verbose);
}

}  // namespace xplan::cmd
