// The terminal filter: what is escaped, what passes, any bytes split anywhere.
#include "core/base/terminal.h"

#include <catch2/catch.hpp>

#include <random>

using namespace xplan;

TEST_CASE("terminal: what would act on it is shown") {
  struct Row {
    std::string_view text, shown;
  };
  for (const Row& r : {
           Row{"plain é 日本 😀\n\tx", "plain é 日本 😀\n\tx"},
           Row{"\x1b[31mred", "\\u001b[31mred"},
           Row{"a\rb\r\nc\r", "a\\u000db\nc\\u000d"},
           Row{"\b\x7f\a", "\\u0008\\u007f\\u0007"},
           Row{"\xc2\x9b[2J \xc2\x80 \xc2\xa0", "\\u009b[2J \\u0080 \xc2\xa0"},
           Row{"\xe2\x80\xaexyz\xe2\x80\xac", "\\u202exyz\\u202c"},
           Row{"\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
               "\\u2066\\u2069\\u200e\\u200f\\u061c"},
           Row{"\x9b"
               "1m\xff\xc3",
               "\\x9b1m\\xff\\xc3"},
           Row{"\xe2\x80", "\\xe2\\x80"},
           Row{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
       })
    CHECK(for_terminal(r.text) == r.shown);
}

TEST_CASE("terminal: what other programs said is harmless everywhere") {
  CHECK(harmless_text("plain \xC3\xA4\n\ttext\r\n") == "plain \xC3\xA4\n\ttext\n");
  CHECK(harmless_text("\x1b[2J \xC2\x9B \xE2\x80\xAE \xE2\x81\xA6 \r over") ==
        "\\u001b[2J \\u009b \\u202e \\u2066 \\u000d over");
  CHECK(harmless_text("a\xff\xE2\x80z\xC3") == "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD");
  CHECK(harmless_output("a\x1b[1;31mred\x1b[0m\x1b[2J\x1b[") == "a\x1b[1;31mred\x1b[0m\\u001b[2J\\u001b[");
}

TEST_CASE("terminal: codes of our own pass, and nothing can pass for one") {
  const std::string bold = terminal_code("\x1b[1m"), text = "a" + bold + "b\x1b[1mc";
  CHECK(for_terminal(text) == "a\x1b[1mb\\u001b[1mc");
  CHECK(without_terminal_codes(text) == "ab\x1b[1mc");
  CHECK(terminal_code_length(text, 1) == bold.size());
  CHECK(terminal_code_length(text, 0) == 0);
  // A tag that is cut off is no tag, and its bytes are shown.
  CHECK(for_terminal(bold.substr(0, bold.size() - 1)).find('\x1b') == std::string::npos);
  CHECK(for_terminal("\xff" + std::string(32, '0') + "\x1b[1m").find('\x1b') == std::string::npos);
}

TEST_CASE("terminal: any bytes in any pieces") {
  std::mt19937 random(7);
  const std::string_view parts[] = {"\x1b",     "\r",       "\n",   "\xe2", "\x80", "\xae", "\xc2", "\x9b",
                                    "\xf0\x9f", "\x98\x80", "\xff", "a",    "é",    "\xd8", "\x9c", "\t"};
  for (int run = 0; run < 2000; ++run) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += parts[random() % std::size(parts)];
    const std::string whole = for_terminal(text);
    for (std::string_view bad : {"\x1b", "\r", "\xe2\x80\xae", "\xc2\x9b", "\xd8\x9c"})
      CHECK(whole.find(bad) == std::string::npos);
    std::string pieces;
    TerminalFilter filter;
    for (size_t i = 0; i < text.size();) {
      const size_t n = 1 + random() % 4;
      filter.add(std::string_view(text).substr(i, n), pieces);
      i += n;
    }
    filter.finish(pieces);
    CHECK(pieces == whole);
  }
}
