// The cases of testdata/config: a directory, or a single file, is a configuration; `diag` beside its files
// (NAME.diag beside a single file) is everything that loading it must report. valid/: nothing; warning/: no
// errors; opentofu/: what that dialect adds, with mistakes in it or without; all others are in Terraform's
// dialect. The checks that belong to planning run for cases whose name begins with "plan-".
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/config/dialect.h"
#include "core/config/moves_check.h"
#include "tests/unit/config/fake_schemas.h"

using namespace xplan;
namespace fs = std::filesystem;

namespace {

std::string describe(const Diagnostics& diags, const SourceTable& sources) {
  std::string out;
  for (const Diagnostic& d : diags.all()) {
    out += d.severity == Severity::Error ? "error " : "warning ";
    ResolvedRange r;
    if (sources.resolve(d.subject, r)) {
      out += std::string(r.file) + ":" + std::to_string(r.start.line) + ":" + std::to_string(r.start.column) +
             " ";
    }
    out += d.summary + "\n    ";
    for (char c : d.detail) {
      out += c;
      if (c == '\n') out += "    ";
    }
    out += "\n";
  }
  return out;
}

// All files below `dir`, as a configuration sees them.
void add_files(const fs::path& dir, const std::string& prefix, MemoryFs& out) {
  for (const auto& e : fs::directory_iterator(dir)) {
    const std::string name = prefix + e.path().filename().string();
    if (e.is_directory()) {
      out.files[name + "/.keep"] = "";
      add_files(e.path(), name + "/", out);
    } else {
      out.files[name] = real_fs().read(e.path().string()).value();
    }
  }
}

void run_case(const fs::path& path, const std::string& kind) {
  const std::string name = path.filename().string();
  INFO("case " << kind << "/" << name);
  MemoryFs files;
  std::string expected_path;
  if (fs::is_directory(path)) {
    add_files(path, "", files);
    expected_path = (path / "diag").string();
  } else {
    const std::string base = name.substr(0, name.find('.'));
    files.files["main" + name.substr(base.size())] = real_fs().read(path.string()).value();
    expected_path = (path.parent_path() / (base + ".diag")).string();
  }
  SourceTable sources;
  Diagnostics diags;
  FakeSchemas schemas;
  auto config = config::load(files, sources, {}, &schemas, diags);
  REQUIRE(config);
  if (name.starts_with("plan-")) {
    config::validate_moves(*config, &sources, diags);
    config::validate_removals(*config, &sources, diags);
  }
  const std::string got = describe(diags, sources);
  if (kind == "valid") CHECK(got == "");
  if (kind == "warning") CHECK_FALSE(diags.has_errors());
  if (kind == "invalid") CHECK(diags.has_errors());
  const Result<std::string> expected = real_fs().read(expected_path);
  if (got == (expected ? *expected : "")) return;
  if (std::getenv("XPLAN_ACCEPT") && kind != "valid") {
    REQUIRE(write_atomic(expected_path, got).ok());
    FAIL_CHECK("accepted, review the diff: " << expected_path);
  } else {
    CHECK(got == (expected ? *expected : ""));
  }
}

struct InDialect {
  explicit InDialect(config::Dialect d) { config::use_dialect(d); }
  ~InDialect() { config::use_dialect(config::Dialect::Xplan); }
};

void run_kind(const std::string& kind, config::Dialect dialect = config::Dialect::Terraform) {
  const InDialect in(dialect);
  std::vector<fs::path> cases;
  for (const auto& e : fs::directory_iterator(std::string(TESTDATA) + "/config/" + kind)) {
    if (e.path().extension() != ".diag") cases.push_back(e.path());
  }
  std::sort(cases.begin(), cases.end());
  REQUIRE_FALSE(cases.empty());
  for (const fs::path& c : cases) run_case(c, kind);
}

}  // namespace

TEST_CASE("config: valid configurations load without a word") {
  run_kind("valid");
}
TEST_CASE("config: doubtful configurations load with warnings") {
  run_kind("warning");
}
TEST_CASE("config: invalid configurations are explained") {
  run_kind("invalid");
}
TEST_CASE("config: what OpenTofu adds is understood, and its mistakes are explained") {
  run_kind("opentofu", config::Dialect::OpenTofu);
}
