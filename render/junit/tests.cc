// Writes results of tests as JUnit suites and cases.
#include "render/junit/tests.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/human_diag.h"
#include "render/junit/xml.h"

namespace xplan::render {
namespace {

using test::Status;

// As they are shown to people.
std::string problems(const Diagnostics& diags, std::optional<Severity> of, const SourceTable& sources) {
  HumanOptions o;
  o.width = 80;
  o.plain_diagnostics = true;
  std::string out;
  for (const Diagnostic& d : diags.all())
    if (!of || d.severity == *of) render_diagnostic(d, &sources, o, out);
  return xml_cdata(out);
}

std::string failure_message(const test::RunResult& r) {
  std::string text = fmt::format("{} of {} assertions failed", r.failed_assertions, r.block->asserts.size());
  if (!r.assertion_messages.empty())
    text += fmt::format("{} {}", r.failed_assertions == 1 ? ":" : ", including:", r.assertion_messages[0]);
  return text;
}

std::string outcome(const test::RunResult& r, const test::RunResult* ended_in_error,
                    const SourceTable& sources) {
  auto element = [](std::string_view name, std::string_view message, const std::string& text) {
    return fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", name, xml_text(message), text);
  };
  std::string out;
  if (r.status == Status::Skip)
    out = ended_in_error
              ? element("skipped", "Testcase skipped due to a previous testcase error",
                        xml_cdata(fmt::format("Previous testcase \"{}\" ended in error, which caused the "
                                              "remaining tests in the file to be skipped",
                                              ended_in_error->block->name.sv())))
              : element("skipped", "Testcase skipped because the run was interrupted", "");
  else if (r.status == Status::Fail)
    out = element("failure", failure_message(r), problems(r.diags, Severity::Error, sources));
  else if (r.status == Status::Error)
    out = element("error", "Encountered an error", problems(r.diags, Severity::Error, sources));
  const bool warned = r.diags.size() > r.diags.error_count();
  if (warned)
    out += fmt::format("      <system-err>{}</system-err>\n", problems(r.diags, Severity::Warning, sources));
  return out;
}

}  // namespace

std::string junit_of_tests(const std::vector<test::FileResult>& files, const SourceTable& sources) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><testsuites>\n";
  for (const test::FileResult& f : files) {
    auto count = [&](Status s) {
      return std::count_if(f.runs.begin(), f.runs.end(), [&](const auto& r) { return r.status == s; });
    };
    out +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" skipped=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                    xml_text(f.file->path), f.runs.size(), count(Status::Skip), count(Status::Fail),
                    count(Status::Error));
    const auto error =
        std::find_if(f.runs.begin(), f.runs.end(), [](const auto& r) { return r.status == Status::Error; });
    const test::RunResult* in_error = error == f.runs.end() ? nullptr : &*error;
    for (const test::RunResult& r : f.runs) {
      out += fmt::format("    <testcase name=\"{}\" classname=\"{}\"", xml_text(r.block->name.sv()),
                         xml_text(f.file->path));
      if (!r.began.empty()) out += fmt::format(" time=\"{:.9f}\" timestamp=\"{}\"", r.seconds, r.began);
      const std::string inside = outcome(r, in_error, sources);
      out += inside.empty() ? "></testcase>\n" : ">\n" + inside + "    </testcase>\n";
    }
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace xplan::render
