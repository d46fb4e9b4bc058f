// What is shown of tests while they run: text for people, and messages of the JSON stream for programs.
//
// Who calls it: test.cc.  Contract: names of files and runs, states and words are those that the reference
// tools read.  Cost: linear in what is shown.  Thread-safety: one thread, but for interrupted().
#pragma once
#include <memory>

#include "cmd/xplan/session.h"
#include "core/test/ledger.h"
#include "core/test/test.h"

namespace xplan::cmd {

class TestReport : public test::Reporter {
 public:
  // An interrupt, and what that means. The second one ends everything: it also says what may be left, by run.
  virtual void interrupted(std::string_view meaning, const test::Ledger::Runs& left) = 0;
};

// `verbose`: shows the plan or the state of each run, too.
std::unique_ptr<TestReport> text_test_report(Session& s, bool verbose);
std::unique_ptr<TestReport> json_test_report(Session& s, bool verbose);  // into the session's stream
// `shown`, and messages into the file of -json-into.
std::unique_ptr<TestReport> tee_test_report(Session& s, std::unique_ptr<TestReport> shown, bool verbose);

// Whether -verbose shows it: a plan that failed only where that was expected of it.
bool test_result_counts(const test::Outcome& made, test::Status status);
// "Success! 3 passed, 0 failed."
std::string test_summary_text(const test::Summary& n);

}  // namespace xplan::cmd
