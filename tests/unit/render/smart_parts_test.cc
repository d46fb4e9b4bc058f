// The parts of the smart style: how elements, lines and words are placed beside each other, what is said of
// whitespace and encoded data, and that nothing hostile makes any of it slow.
#include <catch2/catch.hpp>

#include <chrono>
#include <random>
#include <sstream>

#include "render/diff_print.h"
#include "render/smart/document.h"
#include "render/smart/lines.h"
#include "render/smart/place.h"
#include "render/smart/text_change.h"
#include "render/smart/words.h"

using namespace xplan;
using namespace xplan::render;

namespace {

const Item* json(const std::string& text, Arena& arena) {
  const Item* out = json_document(text, arena);
  REQUIRE(out);
  return out;
}

// "0>1" stays or is new in its place, "+2", "-3"; "m0>2" moved.
std::string placed(const std::string& before, const std::string& after) {
  Arena arena;
  const Item *old = json(before, arena), *now = json(after, arena);
  Sequence olds, news;
  std::vector<const Item*> known;
  auto read = [&](const Item& list, Sequence& out) {
    for (const Item& e : list.items) {
      uint32_t c = 0;
      while (c < known.size() && !equal(*known[c], e)) ++c;
      if (c == known.size()) known.push_back(&e);
      out.classes.push_back(c);
    }
  };
  read(*old, olds), read(*now, news);
  std::string out;
  for (const Placement& p : place_in_list(old->items, now->items, olds, news)) {
    if (!out.empty()) out += ' ';
    if (p.moved) out += 'm';
    out += p.from == kNone ? "+" + std::to_string(p.to)
           : p.to == kNone ? "-" + std::to_string(p.from)
                           : std::to_string(p.from) + ">" + std::to_string(p.to);
  }
  return out;
}

std::string printed(const Value& before, const Value& after) {
  Arena arena;
  PrintOptions o;
  o.style = DiffStyle::Smart;
  std::string out;
  print_diff(out, *Differ(arena, DiffStyle::Smart).value(before, after, false, false), 0, o, arena);
  return out;
}

std::string printed(const std::string& before, const std::string& after) {
  return printed(Value::string(before), Value::string(after));
}

}  // namespace

TEST_CASE("smart diff: elements of lists, placed") {
  struct Row {
    const char *before, *after, *placed;
  };
  for (const Row& row : {
           Row{"[1, 2, 3]", "[1, 2, 3]", "0>0 1>1 2>2"},
           Row{"[1, 2]", "[0, 1, 2]", "+0 0>1 1>2"},
           Row{"[1, 2, 3]", "[3, 1, 2]", "m2>0 0>1 1>2"},
           Row{"[1, 2, 3]", "[1, 5, 3]", "0>0 1>1 2>2"},
           Row{"[]", "[1]", "+0"},
           Row{"[1]", "[]", "-0"},
           Row{R"(["eu-1a", "eu-1b"])", R"(["eu-1a", "eu-1c"])", "0>0 1>1"},
           Row{R"(["s3:GetObject"])", R"(["ec2:Run"])", "-0 +0"},
           // What names an object decides, then what it has in common with others.
           Row{R"([{"name": "a", "x": 1}, {"name": "b", "x": 2}])",
               R"([{"name": "b", "x": 9}, {"name": "a", "x": 1}])", "1>0 m0>1"},
           Row{R"([{"name": "a", "value": "1"}])", R"([{"name": "b", "value": "1"}])", "-0 +0"},
           Row{R"([{"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": 6}])",
               R"([{"a": 7, "b": 8, "c": 9}, {"a": 4, "b": 5, "c": 0}])", "-0 +0 1>1"},
           Row{R"([{"a": 1}])", R"([{"a": 2}])", "0>0"},
           Row{R"([null, 1])", R"([1, null])", "-0 1>0 +1"},
       }) {
    INFO(row.before << " " << row.after);
    CHECK(placed(row.before, row.after) == row.placed);
  }
}

TEST_CASE("smart diff: every element has one place, and those that stay keep their order") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    auto list = [&] {
      std::string out = "[";
      const int n = static_cast<int>(random() % 12);
      for (int i = 0; i < n; ++i) {
        const std::string a = std::to_string(random() % 6), b = std::to_string(random() % 4);
        out += (i ? "," : "") + (random() % 2 ? a : "{\"id\":" + a + ",\"x\":" + b + ",\"y\":1}");
      }
      return out + "]";
    };
    const std::string before = list(), after = list(), text = placed(before, after);
    INFO(before << " " << after << " " << text);
    std::vector<int> olds, news, order;
    std::istringstream words(text);
    for (std::string w; words >> w;) {
      const bool moved = w[0] == 'm';
      if (moved) w.erase(0, 1);
      if (w[0] == '+') {
        news.push_back(std::stoi(w.substr(1)));
      } else if (w[0] == '-') {
        olds.push_back(std::stoi(w.substr(1)));
      } else {
        const int from = std::stoi(w), to = std::stoi(w.substr(w.find('>') + 1));
        olds.push_back(from), news.push_back(to);
        if (!moved) order.push_back(from);
      }
    }
    CHECK(std::is_sorted(news.begin(), news.end()));
    CHECK(std::is_sorted(order.begin(), order.end()));
    std::sort(olds.begin(), olds.end());
    Arena arena;
    CHECK(olds.size() == json(before, arena)->items.size());
    CHECK(news.size() == json(after, arena)->items.size());
    CHECK(std::adjacent_find(olds.begin(), olds.end()) == olds.end());
    CHECK(std::adjacent_find(news.begin(), news.end()) == news.end());
  }
}

TEST_CASE("smart diff: steps of lines and edits of words lead from one text to the other") {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    auto text = [&](const char* between) {
      static const char* kWords[] = {"alpha", "beta", "gamma", "a line of words", "\xc3\xa4", "", "x-y"};
      std::string out;
      for (unsigned i = 0, n = random() % 14; i < n; ++i) out += std::string(kWords[random() % 7]) + between;
      return out;
    };
    const std::string before = text("\n"), after = text("\n");
    std::string old, now;
    for (const LineStep& s : line_steps(before, after, true)) {
      using Kind = LineStep::Kind;
      if (s.kind != Kind::Added && s.kind != Kind::MovedHere) old += std::string(s.text) + "\n";
      if (s.kind != Kind::Removed && s.kind != Kind::MovedAway) now += std::string(s.text) + "\n";
    }
    CHECK(old == before);
    CHECK(now == after);
    const std::string a = text(" "), b = text(" ");
    std::string made;
    size_t at = 0;
    for (const Edit& e : word_edits(a, b)) {
      made += a.substr(at, e.old_begin - at) + b.substr(e.new_begin, e.new_end - e.new_begin);
      at = e.old_end;
    }
    CHECK(made + a.substr(at) == b);
  }
}

TEST_CASE("smart diff: what is said of whitespace") {
  struct Row {
    const char *before, *after, *note;
    bool whole;
  };
  for (const Row& row : {
           Row{"a\n", "a", "only the newline at the end is removed", true},
           Row{"a", "a\n", "only a newline at the end is added", true},
           Row{"a\n", "a\n\n", "only the number of newlines at the end changes", true},
           Row{"a\nb\n", "a\r\nb\r\n", "only line endings change, from LF to CRLF", true},
           Row{"a\r\nb\n", "a\nb\n", "only line endings change", true},
           Row{"a \nb\n", "a\nb\n", "only whitespace at the ends of lines changes", true},
           Row{"a\n\nb\n", "a\nb\n", "only blank lines change", false},
           Row{"a\n b\n", "a\n  b\n", "only whitespace changes", false},
           Row{"a b", "ab", "only whitespace changes", false},
           Row{"a", "b", "", false},
       }) {
    INFO(row.note);
    const SpaceChange c = space_change(row.before, row.after);
    CHECK(c.note == row.note);
    CHECK(c.whole == row.whole);
  }
}

TEST_CASE("smart diff: encoded data") {
  size_t bytes = 0;
  const std::string encoded = "TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQsIGNvbnNldGV0dXIgc2FkaXBzY2luZyBlbGl0ciwg";
  CHECK(blob_kind(encoded, bytes) == "base64");
  CHECK(bytes == 57);
  CHECK(blob_kind("H4sIAAAA" + encoded.substr(8), bytes) == "base64 of gzip data");
  CHECK(blob_kind(encoded + "!", bytes).empty());
  CHECK(blob_kind("/opt/app/Lib/service1/releases/2024/current/Bin/start/with/many/Parts", bytes).empty());
  CHECK(blob_kind(std::string(64, 'a'), bytes).empty());
  CHECK(blob_kind("-----BEGIN PRIVATE KEY-----\n" + encoded + "\n-----END PRIVATE KEY-----\n", bytes) ==
        "PEM PRIVATE KEY");
  CHECK(
      blob_kind("-----BEGIN A-----\nAA==\n-----END A-----\n-----BEGIN A-----\nAA==\n-----END A-----\n", bytes)
          .empty());
}

TEST_CASE("smart diff: documents whose structure does not tell everything are not compared by it") {
  Arena arena;
  size_t count = 0;
  CHECK(json_document(R"({"a": 1, "a": 2})", arena) == nullptr);
  CHECK(json_document("[1, 2", arena) == nullptr);
  CHECK(json_document("plain", arena) == nullptr);
  CHECK(yaml_document("#!/bin/sh\na: b\n", arena, count) == nullptr);
  CHECK(yaml_document("just text\n", arena, count) == nullptr);
  CHECK(yaml_document("a: [\n", arena, count) == nullptr);
  CHECK(yaml_document("a: 1\n---\nb: 2\n", arena, count));
  CHECK(count == 2);
  std::string bomb = "a0: &a0 [x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  CHECK(yaml_document(bomb, arena, count) == nullptr);
  CHECK(yaml_comments_differ("a: 1 # x\n# y\n", "a: 1 # z\n  # y\r\n") == false);
  CHECK(yaml_comments_differ("#cloud-config\na: 1\n", "a: 1\n"));
}

TEST_CASE("smart diff: large and hostile values") {
  auto repeat = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  auto numbers = [](int n, int factor) {  // in another order for each factor
    std::string out = "[";
    for (int64_t i = 0; i < n; ++i) out += (i ? "," : "") + std::to_string(i * factor % 100003);
    return out + "]";
  };
  auto objects = [](int n, const std::string& rest) {
    std::string out = "[";
    for (int i = 0; i < n; ++i)
      out += (i ? "," : "") + ("{\"n\":" + std::to_string(i) + ",\"kind\":\"a\"," + rest + "}");
    return out + "]";
  };
  auto words = [](int n, int factor) {
    std::string out;
    for (int64_t i = 0; i < n; ++i) out += "w" + std::to_string(i * factor % 100003) + " ";
    return out;
  };
  auto lines = [&](int n, int factor) {
    std::string out = words(n, factor);
    std::replace(out.begin(), out.end(), ' ', '\n');
    return out;
  };
  const std::vector<std::pair<std::string, std::string>> rows = {
      {numbers(100000, 1), numbers(100000, 7919)},                                     // all moved
      {objects(20000, "\"v\":1"), objects(20000, "\"v\":2")},                          // all changed
      {objects(20000, "\"v\":1,\"w\":1"), objects(20000, "\"v\":2,\"w\":2,\"n\":5")},  // all alike
      {repeat("[", 900) + "1" + repeat("]", 900), repeat("[", 900) + "2" + repeat("]", 900)},
      {repeat("{\"a\":", 900) + "1" + repeat("}", 900), repeat("{\"a\":", 900) + "2" + repeat("}", 900)},
      {words(100000, 1), words(100000, 7919)},
      {lines(100000, 1), lines(100000, 7919)},
      {repeat("a ", 300000), repeat("b a ", 200000)},
      {repeat("a\n", 200000), repeat("b\na\n", 100000)},
      {repeat("- - ", 400) + "a\nb: c\n", repeat("- - ", 400) + "a\nb: d\n"},
      {repeat("a: b\n", 50000), repeat("a: c\n", 50000)},
  };
  for (const auto& [before, after] : rows) {
    INFO(before.substr(0, 40));
    const auto start = std::chrono::steady_clock::now();
    const std::string out = printed(before, after);
    CHECK(out.size() < 12 * (before.size() + after.size()) + 1'000'000);
    CHECK(std::chrono::steady_clock::now() - start <
          std::chrono::seconds(30));  // a fiftieth of this is normal
  }
}
