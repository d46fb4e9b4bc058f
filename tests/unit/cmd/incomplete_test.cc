// The files of the program are in no library, so the one under test is compiled here.
#include "cmd/xplan/incomplete.cc"

#include <catch2/catch.hpp>
#include <string>

TEST_CASE("console: which texts go on in the next line") {
  struct {
    const char* text;
    bool open;
  } rows[] = {
      {"", false},
      {"1 + 1", false},
      {"[1,", true},
      {"[1,\n2]", false},
      {"{ a = [", true},
      {"f(", true},
      {"f(\")\"", true},
      {"f(\")\")", false},
      {"\"a", false},  // a string ends with its line
      {"\"${f(", true},
      {"\"${f(\n1)}\"", false},
      {"\"$${\"", false},
      {"\"%{ if true }", false},
      {"\"\\\"(\"", false},
      {"]", false},
      {"1 # (", false},
      {"( # )", true},
      {"1 // [", false},
      {"1 /* (", true},
      {"1 /* ( */", false},
      {"<<EOT", true},
      {"<<EOT\na (", true},
      {"<<EOT\na (\nEOT", false},
      {"<<-EOT\n  a\n  EOT", false},
      {"f(<<EOT\n)\nEOT", true},
      {"f(<<EOT\n)\nEOT\n)", false},
      {"a << b", false},
  };
  for (const auto& r : rows) {
    INFO(r.text);
    CHECK(xplan::cmd::is_incomplete(r.text) == r.open);
  }
  CHECK(xplan::cmd::is_incomplete(std::string(1'000'000, '[')));
}
