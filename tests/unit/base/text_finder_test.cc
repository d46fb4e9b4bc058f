// Many strings looked for at once: nothing of an occurrence is left out.
#include "core/base/text_finder.h"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace xplan;

namespace {

// What is found, in brackets; the values behind it.
std::string marked(const TextFinder& f, std::string_view text, const TextFinder::Counts& counts = nullptr) {
  std::string out, values;
  size_t from = 0;
  f.find(
      text, 0, text.size(),
      [&](size_t at, size_t size, std::string_view value) {
        out.append(text.substr(from, at - from)).append("[").append(text.substr(at, size)).append("]");
        values.append(" ").append(value);
        from = at + size;
      },
      counts);
  return out.append(text.substr(from)) + values;
}

}  // namespace

TEST_CASE("text finder: the longest of those that begin together, and all that overlaps") {
  struct Row {
    std::vector<const char*> texts;
    const char *in, *out;
  };
  for (const Row& r : std::vector<Row>{
           {{}, "abc", "abc"},
           {{""}, "abc", "abc"},
           {{"b"}, "", ""},
           {{"b"}, "abcb", "a[b]c[b] b b"},
           {{"pass", "password", "passwordless"}, "password passwor", "[password] [pass]wor password pass"},
           {{"pass", "password1", "password2"}, "password3", "[pass]word3 pass"},
           {{"abcd", "cdef", "efgh"}, "xabcdefghx", "x[abcdefgh]x abcd"},
           {{"abcd", "bc"}, "abcabcd", "a[bc][abcd] bc abcd"},
           {{"aaaa"}, "aaaaaa", "[aaaaaa] aaaa"},
           {{"\xff\xff"}, "a\xff\xff\xff", "a[\xff\xff\xff] \xff\xff"},
       }) {
    TextFinder f;
    for (const char* t : r.texts) f.add(t, t);
    CAPTURE(r.in);
    CHECK(marked(f, r.in) == r.out);
  }
  TextFinder f;
  f.add("one", "first");
  f.add("one", "second");
  CHECK(marked(f, "one none", [](size_t at, size_t) { return at == 0; }) == "[one] none first");
}

TEST_CASE("text finder: what is found is every byte of every occurrence") {
  std::mt19937 random(7);
  auto word = [&](size_t most) {
    std::string out(1 + random() % most, 'a');
    for (char& c : out) c = static_cast<char>('a' + random() % 2);
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    TextFinder f;
    std::vector<std::string> texts;
    for (size_t n = random() % 6; n > 0; --n) f.add(texts.emplace_back(word(7)), "");
    const std::string in = word(40);
    std::string by_definition(in.size(), '.'), found(in.size(), '.');
    for (const std::string& t : texts)
      for (size_t at = in.find(t); at != in.npos; at = in.find(t, at + 1))
        by_definition.replace(at, t.size(), t.size(), '#');
    f.find(in, 0, in.size(),
           [&](size_t at, size_t size, std::string_view) { found.replace(at, size, size, '#'); });
    REQUIRE(found == by_definition);
  }
}
