// The course of the tests: which files there are to run, and what their results amount to.
#include <fmt/format.h>

#include <algorithm>

#include "core/run/configuration.h"
#include "core/test/file_runner.h"
#include "core/test/ledger.h"
#include "core/test/variables.h"

namespace xplan::test {
namespace {

std::vector<const config::TestFile*> chosen(const config::TestSuite& suite, const Request& r,
                                            Diagnostics& diags) {
  std::vector<const config::TestFile*> out;
  std::vector<bool> matched(r.filter.size());
  for (const config::TestFile& f : suite.files) {
    bool wanted = r.filter.empty();
    for (size_t i = 0; i < r.filter.size(); ++i)
      if (clean_path(r.filter[i]) == clean_path(f.path)) wanted = matched[i] = true;
    if (wanted) out.push_back(&f);
  }
  for (size_t i = 0; i < matched.size(); ++i)
    if (!matched[i])
      diags.warn(
          "Test file not found",
          fmt::format("There is no test file \"{}\", so -filter={} selects nothing. Give the path of a "
                      "test file, such as {}.",
                      r.filter[i], r.filter[i], join_path(r.test_dir, "main.tftest.hcl")));
  std::sort(out.begin(), out.end(),
            [](const config::TestFile* a, const config::TestFile* b) { return a->path < b->path; });
  return out;
}

// Test files belong to the configuration.
bool check_test_dir(const std::string& dir, Diagnostics& diags) {
  const std::string clean = clean_path(dir);
  if (!dir.starts_with('/') && clean != ".." && !clean.starts_with("../")) return true;
  diags.error("Invalid testing directory",
              fmt::format("The directory \"{}\" is outside of the configuration's directory. Give the "
                          "relative path of a directory within it.",
                          dir));
  return false;
}

void warn_of_missing_dir(const run::Context& c, const std::string& dir, Diagnostics& diags) {
  if (dir == Request().test_dir || c.files.is_dir(dir)) return;
  diags.warn(
      "Testing directory not found",
      fmt::format("There is no directory \"{}\", so only the test files beside the configuration are run.",
                  dir));
}

void count(const FileResult& f, Summary& s) {
  s.status = std::max(s.status, f.status);
  const int errored = s.errored, skipped = s.skipped;
  for (const RunResult& r : f.runs) {
    s.passed += r.status == Status::Pass, s.failed += r.status == Status::Fail;
    s.errored += r.status == Status::Error, s.skipped += r.status == Status::Skip;
  }
  if (s.errored == errored) s.interrupted += s.skipped - skipped;
}

}  // namespace

std::string_view status_name(Status s) {
  static constexpr std::string_view kNames[] = {"pending", "skip", "pass", "fail", "error"};
  return kNames[static_cast<size_t>(s)];
}

void each_object(const State& state,
                 const std::function<void(const AbsInstance&, const std::string& deposed)>& visit) {
  for (const auto& [addr, r] : state.resources)
    for (const auto& [key, instance] : r.instances) {
      const AbsInstance a{addr.module, addr.resource, key};
      if (instance.current) visit(a, {});
      for (const auto& [deposed, object] : instance.deposed) visit(a, deposed);
    }
}

std::optional<Results> run_tests(const run::Context& c, const Request& request, Reporter& reporter,
                                 Diagnostics& diags) {
  if (!check_test_dir(request.test_dir, diags)) return std::nullopt;
  run::LoadRequest load;
  load.test_dir = request.test_dir;
  load.for_tests = true;
  const auto config = run::load(c, load, diags);
  if (diags.has_errors()) return std::nullopt;
  const GlobalValues values =
      global_values(c, *config->root->module, *config->tests, request.inputs, request.test_dir, diags);
  if (diags.has_errors()) return std::nullopt;
  Results out{config->tests, {}, {}};
  Ledger unread;
  Request r = request;
  if (!r.ledger) r.ledger = &unread;
  warn_of_missing_dir(c, request.test_dir, diags);
  const std::vector<const config::TestFile*> files = chosen(*config->tests, request, diags);
  reporter.found(files);
  reporter.noticed(diags);
  const config::TestPlace place{c.files, ".", request.test_dir, c.data_dir};
  for (const config::TestFile* f : files) {
    out.files.push_back(
        run_file(c, r, place, *config, *f, f->in_test_dir ? values.in_test_dir : values.beside, reporter));
    count(out.files.back(), out.summary);
  }
  if (out.summary.interrupted) out.summary.status = Status::Error;  // whatever the others have come to
  reporter.ended(out.summary);
  return out;
}

}  // namespace xplan::test
