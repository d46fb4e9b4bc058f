// Where the parser goes on in text that it does not understand.
#include "core/syntax/skip.h"

#include <catch2/catch.hpp>
#include <string>

using namespace xplan::syntax;

namespace {

// Takes the mark out of the text; its place.
size_t take_mark(std::string& s, char mark) {
  const size_t at = s.find(mark);
  REQUIRE(at != s.npos);
  s.erase(at, 1);
  return at;
}

}  // namespace

TEST_CASE("skip: a statement with an error ends where its brackets do, or where another seems to begin") {
  struct Row {
    const char* what;
    const char* text;  // "@": the error, "^": where to go on
    bool headers_end = false;
  };
  const Row rows[] = {
      {"the end of the line", "a = 1 @2^\nb = 3\n"},
      {"brackets over lines", "a = [1 @2\n, 3]^\nb = 3\n"},
      {"braces over lines", "a = { @x\n y = 1\n}^\nb = 3\n"},
      {"the brace around it", "a = 1 @2 ^}\n"},
      {"a closing brace ends forgotten brackets", "a = [1, (2 @3 ^}\nb = 3\n"},
      {"an argument behind a forgotten bracket", "a = [1, @2^\nb = 3\n"},
      {"an object is no such place", "a = { @x\nb = 3\n}^\nc = 1\n"},
      {"a comparison is no argument", "a = [1 @2\nb == 3]^\n"},
      {"brackets in strings", "a = @\"[({\"^\nb = 3\n"},
      {"quotes in sequences", "a = @\"${ f(\"}\") }[\"^\nb = 3\n"},
      {"escaped quotes and sequences", "a = @\"\\\"$${[\"^\nb = 3\n"},
      {"an unterminated string ends with its line", "a = @\"x^\nb = 3\n"},
      {"also in a sequence", "a = @\"${ \"x^\nb = 3\n"},
      {"brackets in heredocs", "a = @<<E\n[({ \"\n  E^\nb = 3\n"},
      {"indented heredocs", "a = @<<-E\r\n E x\n E\r^\nb = 3\n"},
      {"brackets in comments", "a = @1 # [(\n", false},
      {"a comment without end", "a = @1 /* \nb = 3\n^"},
      {"the end of the text", "a = [@1, {^"},
      {"a header in the first column", "a = { @1\nb \"c\" d {\n}\n}^\n"},
      {"a header that ends what is open", "a = { @1^\nb \"c\" d {\n}\n", true},
      {"a label without end is no header, but its brace is one", "a = { @1\nb \"c {\n}\n}^\n", true},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    std::string s = row.text;
    size_t expected = std::string::npos;
    if (s.find('^') == s.npos) s.insert(s.find('\n'), "^");
    const size_t error_first = s.find('@');
    REQUIRE(error_first < s.find('^'));
    const size_t error = take_mark(s, '@');
    expected = take_mark(s, '^');
    CHECK(resume_after_error(s, 0, error, row.headers_end) == expected);
  }
}

TEST_CASE("skip: a bracket ends at its partner, whatever stands between") {
  for (const char* text :
       {"{}^ }", "{ a = \"}\" }^ x", "{ a = <<E\n}\nE\n}^\n", "{ a = [(}^ )]", "{ # }\n}^", "{ \"^"}) {
    INFO(text);
    std::string s = text;
    const size_t expected = take_mark(s, '^');
    CHECK(end_of_bracket(s, 0) == expected);
  }
}

TEST_CASE("skip: a block header is names and labels up to a brace on the line") {
  CHECK(is_block_header("a {", 0));
  CHECK(is_block_header("a \"b\" c {", 0));
  CHECK_FALSE(is_block_header("a = {", 0));
  CHECK_FALSE(is_block_header("a \"b {", 0));
  CHECK_FALSE(is_block_header("a\n{", 0));
}
