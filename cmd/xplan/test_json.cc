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
  // Not of diagnostics where they are printed as well, because that writes them into the file, too.
  enum class Tells : uint8_t { All, WhatIsNotPrinted };
  JsonReport(Session& s, render::JsonStream& out, bool verbose, Tells tells)
      : out_(s, out),
        verbose_(verbose),
        tells_(tells),
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
    tell(diags);
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
    if (verbose_ && test_result_counts(made, r.status)) out_.made(made);
    tell(r.diags);
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
    tell(diags);
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
  void tell(const Diagnostics& diags) {
    if (tells_ == Tells::All) out_.diagnostics(diags);
  }
  TestMessages out_;
  const bool verbose_;
  const Tells tells_;
  std::mutex lock_;    // one message after the other
  TestTicker ticker_;  // goes first
};

// What people see, and the same for programs in a file.
class TeeReport : public TestReport {
 public:
  TeeReport(std::unique_ptr<TestReport> shown, std::unique_ptr<TestReport> file)
      : shown_(std::move(shown)), file_(std::move(file)) {}
  void found(const std::vector<const config::TestFile*>& files) override {
    file_->found(files), shown_->found(files);
  }
  void noticed(Diagnostics& diags) override { shown_->noticed(diags); }
  void file_begins(const config::TestFile& f) override { file_->file_begins(f), shown_->file_begins(f); }
  void run_begins(const config::TestFile& f, const config::TestRunBlock& r) override {
    file_->run_begins(f, r), shown_->run_begins(f, r);
  }
  void run_ended(const config::TestFile& f, const test::RunResult& r, const test::Outcome& made) override {
    file_->run_ended(f, r, made), shown_->run_ended(f, r, made);
  }
  void cleanup_begins(const config::TestFile& f) override {
    file_->cleanup_begins(f), shown_->cleanup_begins(f);
  }
  void cleaning_up(const config::TestFile& f, const config::TestRunBlock& r) override {
    file_->cleaning_up(f, r), shown_->cleaning_up(f, r);
  }
  void cleaned_up(const config::TestFile& f, const config::TestRunBlock& r, const State& left,
                  const Diagnostics& diags) override {
    file_->cleaned_up(f, r, left, diags), shown_->cleaned_up(f, r, left, diags);
  }
  void interrupted(std::string_view meaning, const test::Ledger::Runs& left) override {
    file_->interrupted(meaning, left), shown_->interrupted(meaning, left);
  }
  void file_ended(const test::FileResult& f) override { file_->file_ended(f), shown_->file_ended(f); }
  void ended(const test::Summary& n) override { file_->ended(n), shown_->ended(n); }

 private:
  const std::unique_ptr<TestReport> shown_, file_;
};

}  // namespace

std::unique_ptr<TestReport> json_test_report(Session& s, bool verbose) {
  return std::make_unique<JsonReport>(s, *s.stream, verbose, JsonReport::Tells::All);
}

std::unique_ptr<TestReport> tee_test_report(Session& s, std::unique_ptr<TestReport> shown, bool verbose) {
  return std::make_unique<TeeReport>(
      std::move(shown),
      std::make_unique<JsonReport>(s, *s.into, verbose, JsonReport::Tells::WhatIsNotPrinted));
}

}  // namespace xplan::cmd
