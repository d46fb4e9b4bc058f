// test: runs the tests of the configuration; its options and its exit codes. How tests are run:
// core/test/runner.cc.
#include <fmt/format.h>

#include "cmd/xplan/commands.h"
#include "cmd/xplan/interrupt.h"
#include "cmd/xplan/test_reports.h"
#include "core/base/fs.h"
#include "planfile/planfile.h"
#include "render/junit/tests.h"

namespace xplan::cmd {
namespace {

void save_junit(Session& s, const std::string& path, const test::Results& results) {
  const Result<void> ok = write_atomic(path, render::junit_of_tests(results.files, s.sources));
  if (!ok) s.diags.error("Failed to write JUnit report", ok.error().sentence());
}

}  // namespace

int run_test(Session& s, const Args& args) {
  test::Request r;
  VariableFlags variables;
  variables.input = false;  // a test that waits for somebody is none
  bool verbose = false;
  std::string junit;
  Flags flags("test",
              "Runs the tests of the configuration (*.tftest.hcl and *.tftest.json). What they create is "
              "destroyed at the end.");
  flags.list("filter", r.filter, "Run only this test file. May be repeated.", "FILE")
      .text("test-directory", r.test_dir, "Directory with tests (default \"tests\").", "DIR")
      .flag("verbose", verbose, "Show the plan or the state of each run.")
      .text("junit-xml", junit, "Also write the results to FILE as a JUnit report.", "FILE")
      .number("parallelism", r.parallelism, "Number of concurrent operations (default 10).")
      .flag("json", s.json, "Print progress and results as JSON lines.");
  s.add_json_into(flags);
  variables.add(flags);
  flags.no_arguments("To run only some of the test files, use -filter=FILE.");
  if (std::optional<int> code = s.parse(flags, args, [&] { s.begin_stream_if_asked(args); })) return *code;
  if (s.json && !s.stream) s.begin_stream();
  if (!junit.empty()) {
    if (Result<void> ok = planfile::check_document(junit, "junit-xml"); !ok)
      s.diags.error("Invalid document path", ok.error().sentence());
    if (s.diags.has_errors()) return s.finish();
  }
  r.inputs = s.input_request(variables);
  r.inputs.ask = false;
  if (r.parallelism == 0) r.parallelism = 10;
  auto report = s.stream ? json_test_report(s, verbose) : text_test_report(s, verbose);
  if (s.into) report = tee_test_report(s, std::move(report), verbose);
  test::Ledger ledger;
  r.ledger = &ledger;
  const InterruptTeller teller([&](std::string_view, bool again) {
    again ? report->interrupted("Stopped.", ledger.runs())
          : report->interrupted(
                "Interrupt received. Finishing the run block in progress and destroying what the tests "
                "created. Press Ctrl-C again to stop immediately.",
                {});
  });
  enter_phase(RunPhase::Changing);
  const std::optional<test::Results> results = test::run_tests(s.context(), r, *report, s.diags);
  if (results && !junit.empty()) save_junit(s, junit, *results);
  if (const int n = results ? results->summary.interrupted : 0)
    s.diags.error("Tests were interrupted",
                  fmt::format("{} run block{} not started, so the result is not complete.", n,
                              n == 1 ? " was" : "s were"));
  return s.finish(results && results->summary.status <= test::Status::Pass ? 0 : 1);
}

}  // namespace xplan::cmd
