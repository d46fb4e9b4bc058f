// The CLI configuration file: what is wrong is reported on its own line.
#include "core/hosts/cli_syntax.h"

#include <catch2/catch.hpp>

using namespace xplan;

TEST_CASE("cli file: a missing value is reported where it is missing") {
  const struct {
    const char* text;
    size_t line, column;  // 0: nothing is wrong
    const char* told;
  } rows[] = {
      {"a = \"x\"\nb =\nc = 1\n", 2, 3, "A value is missing after this equals sign."},
      {"b =\ncredentials \"h\" {\n}\n", 1, 3, "A value is missing after this equals sign."},
      {"host {\n  b =\n}\n", 2, 5, "A value is missing after this equals sign."},
      {"b =", 1, 3, "A value is missing after this equals sign."},
      {"b =\n  true\nc =\n\"x\"\nd = {\n}\n", 0, 0, ""},
      {"b = maybe\n", 1, 5, "A value must be a string in quotation marks"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    SourceTable sources;
    Diagnostics diags;
    (void)hosts::parse_cli_file(sources, "rc", row.text, diags);
    REQUIRE(diags.size() == (row.line ? 1 : 0));
    if (!row.line) continue;
    ResolvedRange at;
    REQUIRE(sources.resolve(diags.all()[0].subject, at));
    CHECK(at.start.line == row.line);
    CHECK(at.start.column == row.column);
    CHECK(diags.all()[0].detail.starts_with(row.told));
  }
}
