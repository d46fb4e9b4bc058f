// Shows tests as text while they run: a line for each file and run, the problems of a run below it, objects
// left behind, and the totals.
#include <fmt/format.h>

#include "cmd/xplan/test_reports.h"
#include "core/plan/plan.h"
#include "render/human_plan.h"
#include "render/human_state.h"

namespace xplan::cmd {
namespace {

using render::Style;

class TextReport : public TestReport {
 public:
  TextReport(Session& s, bool verbose) : s_(s), verbose_(verbose) {}

  void noticed(Diagnostics&) override { s_.print_diagnostics(); }
  void file_begins(const config::TestFile& f) override { line(f.path, "in progress", Style::Faint); }
  void run_ended(const config::TestFile&, const test::RunResult& r, const test::Outcome& made) override {
    line(fmt::format("  run \"{}\"", r.block->name.sv()), word(r.status), style(r.status));
    if (verbose_) show(made, r.status);
    tell(r.diags);
  }
  void cleanup_begins(const config::TestFile& f) override { line(f.path, "tearing down", Style::Faint); }
  void cleaned_up(const config::TestFile& f, const config::TestRunBlock& run, const State& left,
                  const Diagnostics& diags) override {
    if (!diags.empty()) {
      s_.io.flush();
      wrapped(fmt::format("{} encountered an error destroying resources created while executing {}/{}.\n",
                          s_.product, f.path, run.name.sv()));
      tell(diags);
    }
    if (left.resources.empty()) return;
    s_.io.flush();
    wrapped(fmt::format(
        "\n{} left the following resources in state after executing {}/{}, and they need to be cleaned up "
        "manually:\n",
        s_.product, f.path, run.name.sv()));
    std::string text;
    test::each_object(left, [&](const AbsInstance& a, const std::string& deposed) {
      text += fmt::format("  - {}{}\n", a.text(), deposed.empty() ? "" : " (" + deposed + ")");
    });
    s_.io.err(text);
  }
  void interrupted(std::string_view meaning, const test::Ledger::Runs& left) override {
    s_.io.flush();
    wrapped(fmt::format("\n{}\n", meaning));
    auto list = [&](std::string_view what, const std::string& run, const std::set<std::string>& objects) {
      if (objects.empty()) return;
      wrapped(fmt::format("\n{} {}, and must be cleaned up manually:\n", what, run));
      for (const std::string& o : objects) s_.io.err("  - " + o + "\n");
    };
    for (const auto& [run, objects] : left) {
      list("These objects were left behind by", run, objects.existing);
      list("These objects may have been created by", run, objects.begun);
    }
  }
  void file_ended(const test::FileResult& f) override { line(f.file->path, word(f.status), style(f.status)); }
  void ended(const test::Summary& n) override {
    const std::string text = test_summary_text(n);
    const size_t end = text.find('!') + 1;
    std::string out = "\n";
    render::put(out, text.substr(0, end), style(n.status), s_.human.color);
    s_.io.out(out + text.substr(end) + "\n");
    s_.io.flush();
  }

 private:
  static std::string_view word(test::Status s) {
    return s == test::Status::Error ? "fail" : test::status_name(s);
  }
  static Style style(test::Status s) {
    return s == test::Status::Pass ? Style::Green : s == test::Status::Skip ? Style::Faint : Style::Red;
  }
  void line(std::string_view what, std::string_view state, Style style) {
    std::string out = fmt::format("{}... ", what);
    render::put(out, state, style, s_.human.color);
    s_.io.out(out + "\n");
    s_.io.flush();
  }
  void wrapped(std::string_view text) {  // on standard error
    std::string out;
    render::put_wrapped(out, text, s_.human.width - 1);
    s_.io.err(out);
  }
  void tell(const Diagnostics& diags) {
    for (const Diagnostic& d : diags.all()) s_.diags.add(d);
    s_.print_diagnostics();
  }
  void show(const test::Outcome& made, test::Status status) {
    if (!test_result_counts(made, status)) return;
    std::string out;
    if (made.plan)
      render::render_plan(*made.plan, s_.human, out);
    else
      render::render_state(*made.state, s_.schema_lookup(), s_.human, out, s_.diags);
    s_.io.out((out.starts_with('\n') ? "" : "\n") + out + "\n");
  }

  Session& s_;
  const bool verbose_;
};

}  // namespace

std::unique_ptr<TestReport> text_test_report(Session& s, bool verbose) {
  return std::make_unique<TextReport>(s, verbose);
}

bool test_result_counts(const test::Outcome& made, test::Status status) {
  return made.state || (made.plan && (!made.plan->errored || status == test::Status::Pass));
}

std::string test_summary_text(const test::Summary& n) {
  std::string text =
      fmt::format("{}! {} passed, {} failed", n.status <= test::Status::Pass ? "Success" : "Failure",
                  n.passed, n.failed + n.errored);
  if (n.skipped) text += fmt::format(", {} skipped", n.skipped);
  return text + ".";
}

}  // namespace xplan::cmd
