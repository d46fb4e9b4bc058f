// Small things about texts, escapes of JSON, the time of day.
#include "core/base/text.h"

#include <utf8proc.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iterator>
#include <random>
#include <vector>

#include "core/base/clock.h"
#include "core/base/command_line.h"
#include "core/base/conflict.h"
#include "core/base/json_escape.h"
#include "core/base/utf8.h"

using namespace xplan;

TEST_CASE("text: digits, quotes, whitespace") {
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

TEST_CASE("text: types in sentences") {
  CHECK(with_article("string") == "a string");
  CHECK(with_article("object") == "an object");
  CHECK(with_article("any type") == "any type");
  CHECK(with_article("set of number") == "a set of numbers");
  CHECK(with_article("map of list of bool") == "a map of lists of bools");
  CHECK(with_article("") == "a ");
}

TEST_CASE("text: the markers of merge conflicts") {
  using Lines = std::vector<size_t>;
  CHECK(conflict_markers("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n") == Lines{2, 17, 27});
  CHECK(conflict_markers("<<<<<<< a\r\n||||||| b\r\n=======\r\n>>>>>>>\r\n") == Lines{0, 11, 22, 31});
  CHECK(conflict_markers(">>>>>>>") == Lines{0});
  CHECK(conflict_markers("Heading\n=======\n").empty());
  CHECK(conflict_markers(" <<<<<<< a\n<<<<<<<< a\n<<<<<<\n<<<<<<<a\n").empty());
  CHECK(conflict_markers("").empty());
}

TEST_CASE("text: commands to run") {
  CHECK(own_command("state rm") == "\"xplan state rm\"");
  set_program_name("terraform");
  CHECK((program_name() == "terraform" && own_command("init") == "\"terraform init\""));
  set_program_name("xplan");
  for (const char* plain : {"plan.bin", "../a-b/c_d.2", "module.m.a.b", "x=1"})
    CHECK(shell_word(plain) == plain);
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a[\"b c\"]") == "'a[\"b c\"]'");
  CHECK(shell_word("a[0]") == "'a[0]'");
  CHECK(shell_word("it's $HOME") == "'it'\\''s $HOME'");
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

TEST_CASE("text: normalization is the library's, however many marks follow each other") {
  std::mt19937 random(3);
  // Letters, marks of several classes, marks and letters that fall into several, two that are not letters.
  const char32_t kinds[] = {'a',   'e',    0xE9,   0x1EC7, 0xAC00, 0x1100, 0x1161, 0x301,
                            0x323, 0x327,  0x344,  0x345,  0x308,  0x30A,  0xF73,  0xF71,
                            0xF72, 0x212B, 0x05B0, 0x3099, 0x304B, 0x200D, 0x1D165};
  for (int round = 0; round < 5000; ++round) {
    std::string s;
    for (uint32_t n = random() % 12; n > 0; --n) utf8_append(s, kinds[random() % std::size(kinds)]);
    utf8proc_uint8_t* out = nullptr;
    auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(s.data()),
                          static_cast<utf8proc_ssize_t>(s.size()), &out,
                          static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    REQUIRE(n >= 0);
    const std::string expected(reinterpret_cast<char*>(out), static_cast<size_t>(n));
    std::free(out);
    CAPTURE(s);
    REQUIRE(nfc(s) == expected);
  }
  std::string marks = "e";
  for (int i = 0; i < 200000; ++i) marks += i % 2 ? "\u0323" : "\u0301";
  CHECK(nfc(marks).size() == marks.size());  // one mark goes into the letter, which is as much longer
}

TEST_CASE("text: characters are the library's, also where plain letters stand beside others") {
  std::mt19937 random(5);
  // What joins to either side, and what joins nothing: marks, a joiner, a modifier, a prefix, flags, line
  // ends.
  const char32_t kinds[] = {'a',     'b',     ' ',   '\r',    '\n',   0x301,  0x200D,
                            0x1F468, 0x1F3FB, 0x600, 0x1F1E6, 0x1100, 0x1161, 0x7F};
  for (int round = 0; round < 5000; ++round) {
    std::string s;
    std::vector<uint32_t> expected;
    char32_t prev = 0;
    utf8proc_int32_t state = 0;
    for (uint32_t n = random() % 10; n > 0; --n) {
      const char32_t c = kinds[random() % std::size(kinds)];
      const size_t start = s.size();
      utf8_append(s, c);
      if (start == 0 || utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(prev),
                                                         static_cast<utf8proc_int32_t>(c), &state))
        expected.push_back(0);
      expected.back() += static_cast<uint32_t>(s.size() - start);
      prev = c;
    }
    CAPTURE(s);
    REQUIRE(graphemes(s) == expected);
  }
}
