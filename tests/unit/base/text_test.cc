// Small things about texts, escapes of JSON, the time of day.
#include "core/base/text.h"

#include <catch2/catch.hpp>

#include "core/base/clock.h"
#include "core/base/json_escape.h"

using namespace xplan;

TEST_CASE("text: digits, quotes, white space") {
  CHECK((hex_digit('0') == 0 && hex_digit('9') == 9 && hex_digit('a') == 10 && hex_digit('F') == 15));
  for (char c : {'g', 'G', '/', ':', '@', '`', '\0', '\xff'}) CHECK(hex_digit(c) == -1);
  CHECK(hex4("x12aB", 1) == 0x12ab);
  CHECK(hex4("12ag", 0) == -1);
  CHECK(hex4("12a", 0) == -1);
  CHECK(hex4("", 7) == -1);
  CHECK(in_quotes("a\"b") == "\"a\"b\"");
  CHECK(trimmed(" \t a b\r\n") == "a b");
  CHECK(trimmed(" \n") == "");
}

TEST_CASE("text: escapes of JSON") {
  struct Row {
    std::string_view text, out;
    size_t end;
  };
  for (const Row& r :
       {Row{"nx", "\n", 1}, Row{"/", "/", 1}, Row{"\"", "\"", 1}, Row{"b", "\b", 1}, Row{"u00e9x", "é", 5},
        Row{"ud83d\\ude00x", "😀", 11}, Row{"ud83dx", "\uFFFD", 5}, Row{"ud83d\\u0041", "\uFFFD", 5},
        Row{"ude00", "\uFFFD", 5}, Row{"u12", "\uFFFD", 5}, Row{"", "\\", 1}}) {
    CAPTURE(r.text);
    std::string out;
    size_t at = 0;
    append_json_escape(out, r.text, at);
    CHECK(out == r.out);
    CHECK(at == r.end);
  }
}

TEST_CASE("text: times of day") {
  CHECK(utc_text(0, 0, 0) == "1970-01-01T00:00:00Z");
  CHECK(utc_text(1709210096, 12'345'678, 9) == "2024-02-29T12:34:56.012345678Z");
  CHECK(utc_text(1709210096, 999'999'999, 6) == "2024-02-29T12:34:56.999999Z");
  CHECK(utc_now(3).size() == 24);
}
