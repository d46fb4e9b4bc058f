// Diagnostics as printed: the enclosing block, the box, colours, order and merging, JSON.
#include <catch2/catch.hpp>

#include <ctime>

#include "core/base/terminal.h"
#include "core/base/utf8.h"
#include "render/human_diag.h"
#include "render/json_diag.h"
#include "render/snippet.h"

using namespace xplan;

namespace {

const char kNative[] =
    "variable \"a\" {\n"
    "  default = \"x\"\n"
    "}\n"
    "resource \"terraform_data\" \"web\" {\n"
    "  input = upper(var.a[\n"
    "    5])\n"
    "  tags = { x = 1 }\n"
    "}\n";
const char kJson[] =
    "{\"resource\": {\"terraform_data\": [{\"web\": [{\"input\": [1, {\"x\": [\"${nope.foo}\"]}]}]}]},\n"
    " \"output\": {\"o\": {\"value\": \"${nope}\"}}}\n";

struct Sources {
  SourceTable table;
  uint32_t native = table.add("main.tf", kNative);
  uint32_t json = table.add("main.tf.json", kJson);
  uint32_t argument = table.add("<value for var.a>", "1 +");
  // The place of a text in a file.
  Range at(uint32_t base, std::string_view text, size_t from = 0) const {
    size_t i = table.text_of(base).find(text, from);
    REQUIRE(i != std::string_view::npos);
    return {base + static_cast<uint32_t>(i), base + static_cast<uint32_t>(i + text.size())};
  }
};

void render_all(const Diagnostics& diags, const SourceTable* sources, const render::HumanOptions& o,
                std::string& out, std::string& err) {
  render::render_diagnostics(
      diags, sources, o, [&](std::string_view s) { out += s; }, [&](std::string_view s) { err += s; });
}

}  // namespace

TEST_CASE("diagnostics: the block around a place") {
  Sources s;
  CHECK(render::block_around(s.table, s.at(s.native, "var.a")) == "resource \"terraform_data\" \"web\"");
  CHECK(render::block_around(s.table, s.at(s.native, "default")) == "variable \"a\"");
  CHECK(render::block_around(s.table, s.at(s.native, "\"web\"")) == "resource \"terraform_data\" \"web\"");
  CHECK(render::block_around(s.table, s.at(s.json, "nope.foo")) ==
        "resource.terraform_data[0].web[0].input[1].x");
  CHECK(render::block_around(s.table, s.at(s.json, "${nope}")) == "output.o");
  CHECK(render::block_around(s.table, s.at(s.argument, "+")) == "");
  CHECK(render::block_around(s.table, {}) == "");
}

TEST_CASE("diagnostics: the box") {
  Sources s;
  Diagnostics diags;
  Diagnostic& d =
      diags.error("Wrong thing",
                  "This is not right, and it is said in a sentence long enough to be broken.\n  code stays",
                  s.at(s.native, "var.a"));
  d.values = {{"var.b", "is 2"}, {"var.a", "is \"x\""}};
  d.function_name = "upper";
  d.address = "terraform_data.web";
  render::HumanOptions o;
  o.width = 50;
  std::string out, err;
  render_all(diags, &s.table, o, out, err);
  CHECK(out == "");
  CHECK(err ==
        "╷\n"
        "│ Error: Wrong thing\n"
        "│\n"
        "│   with terraform_data.web,\n"
        "│   on main.tf line 5, in resource \"terraform_data\" \"web\":\n"
        "│    5:   input = upper(var.a[\n"
        "│     ├────────────────\n"
        "│     │ while calling upper(str)\n"
        "│     │ var.a is \"x\"\n"
        "│     │ var.b is 2\n"
        "│\n"
        "│ This is not right, and it is said in a sentence\n"
        "│ long enough to be broken.\n"
        "│   code stays\n"
        "╵\n");
  o.plain_diagnostics = true;
  o.width = 0;
  std::string plain;
  diags.mutable_all()[0].values.clear();
  diags.mutable_all()[0].function_name.clear();
  diags.mutable_all()[0].detail = "Detail.";
  render::render_diagnostic(diags.all()[0], &s.table, o, plain);
  CHECK(plain ==
        "\nError: Wrong thing\n\n"
        "  with terraform_data.web,\n"
        "  on main.tf line 5, in resource \"terraform_data\" \"web\":\n"
        "   5:   input = upper(var.a[\n\n"
        "Detail.\n");
}

TEST_CASE("diagnostics: colours, several lines, control characters") {
  Sources s;
  Diagnostics diags;
  Range subject = s.at(s.native, "a[\n    5");
  diags.warn("Careful\x1b[2J", "", subject, s.at(s.native, "upper(var.a[\n    5])"));
  render::HumanOptions o;
  o.color = true;
  std::string out;
  render::render_diagnostic(diags.all()[0], &s.table, o, out);
  out = for_terminal(out);
  CHECK(out.find("\x1b[1m\x1b[33mWarning: \x1b[0m\x1b[1mCareful\\u001b[2J\x1b[0m\n") != std::string::npos);
  CHECK(out.find("   5:   input = upper(var.\x1b[4ma[\x1b[0m\n") != std::string::npos);
  CHECK(out.find("   6: \x1b[4m    5\x1b[0m])\n") != std::string::npos);
}

TEST_CASE("diagnostics: order, repetition, similar warnings") {
  Sources s;
  Diagnostics diags;
  diags.error("Second", "b", s.at(s.native, "tags"));
  diags.error("First", "a", s.at(s.native, "default"));
  diags.error("First", "a", s.at(s.native, "default"));
  diags.error("Nowhere", "c");
  diags.warn("Old", "1", s.at(s.native, "tags"));
  diags.warn("Old", "2", s.at(s.native, "default"));
  diags.warn("Old", "3", s.at(s.native, "var.a"));
  for (int i = 0; i < 2; ++i)
    diags.warn("Check failed", std::to_string(i), s.at(s.native, "var.a")).from_check = true;
  std::vector<std::string> order;
  for (const Diagnostic* d : render::sorted_diagnostics(diags)) order.push_back(d->summary + d->detail);
  CHECK(order == std::vector<std::string>{"Old2", "Old3", "Check failed0", "Check failed1", "Old1",
                                          "Nowherec", "Firsta", "Secondb"});
  std::string out, err;
  render_all(diags, &s.table, {}, out, err);
  CHECK(out.find("│ 2\n│\n│ (and 2 more similar warnings elsewhere)\n") != std::string::npos);
  CHECK(out.find("│ 3\n") == std::string::npos);
  CHECK(out.find("│ 1\n╵") != std::string::npos);  // failed checks are never merged
  Diagnostics warnings;
  warnings.warn("Old", "1", s.at(s.native, "tags"));
  warnings.warn("Old", "2", s.at(s.native, "default"));
  warnings.warn("Other", "2");
  render::HumanOptions o;
  o.compact_warnings = true;
  out.clear();
  render_all(warnings, &s.table, o, out, err);
  CHECK(out ==
        "Warnings:\n\n- Other\n- Old\n  on main.tf line 2 (and 1 more)\n\nTo see these warnings in full, run "
        "without "
        "-compact-warnings.\n");
}

TEST_CASE("diagnostics: on a terminal, the box goes on beside lines of code that are too long") {
  Sources s;
  Diagnostics diags;
  diags.error("Wrong", "So.\n  " + std::string(60, 'x'), s.at(s.json, "nope.foo"));
  render::HumanOptions o;
  o.width = o.note_width = 40;
  o.color = true;
  std::string out, err;
  render_all(diags, &s.table, o, out, err);
  err = without_terminal_codes(err);
  CHECK(err.find("│    1: {\"resource\": {\"terraform_data\": \n│       [{\"web\": [{\"input\": [1, {\"x\": "
                 "[\"\n│       "
                 "${nope.foo}") != std::string::npos);
  CHECK(err.find("│   " + std::string(60, 'x') + "\n") != std::string::npos);
}

TEST_CASE("diagnostics: one box for objects to which the same happened") {
  Diagnostics diags;
  for (const char* address : {"t.a", "t.b[0]", "t.c"}) {
    Diagnostic& d = diags.error("Provider exited unexpectedly", "Its outcome is unknown.");
    d.address = address;
    d.of_many = true;
  }
  diags.error("Provider exited unexpectedly", "Another one.").address = "t.d";
  std::string text;
  const render::Sink sink = [&](std::string_view s) { text += s; };
  render::render_diagnostics(diags, nullptr, {}, sink, sink);
  CHECK(text ==
        "╷\n│ Error: Provider exited unexpectedly\n│\n│   with t.a,\n│\n│ Its outcome is unknown.\n│\n"
        "│ The same happened to:\n│   - t.b[0]\n│   - t.c\n╵\n"
        "╷\n│ Error: Provider exited unexpectedly\n│\n│   with t.d,\n│\n│ Another one.\n╵\n");
}

TEST_CASE("diagnostics: as JSON") {
  Sources s;
  Diagnostics diags;
  Diagnostic& d = diags.error("Wrong", "Detail.", s.at(s.native, "var.a"));
  d.values = {{"var.a", "is \"x\""}};
  d.function_name = "upper";
  diags.warn("Nowhere", "");
  std::string text = render::validate_json(diags, &s.table);
  CHECK(
      text ==
      "{\n  \"format_version\": \"1.0\",\n  \"valid\": false,\n  \"error_count\": 1,\n  \"warning_count\": "
      "1,\n"
      "  \"diagnostics\": [\n"
      "    {\n      \"severity\": \"warning\",\n      \"summary\": \"Nowhere\",\n      \"detail\": \"\"\n    "
      "},\n"
      "    {\n      \"severity\": \"error\",\n      \"summary\": \"Wrong\",\n      \"detail\": \"Detail.\",\n"
      "      \"range\": {\n        \"filename\": \"main.tf\",\n"
      "        \"start\": {\n          \"line\": 5,\n          \"column\": 17,\n          \"byte\": 83\n     "
      "   },\n"
      "        \"end\": {\n          \"line\": 5,\n          \"column\": 22,\n          \"byte\": 88\n       "
      " }\n      },\n"
      "      \"snippet\": {\n        \"context\": \"resource \\\"terraform_data\\\" \\\"web\\\"\",\n"
      "        \"code\": \"  input = upper(var.a[\",\n        \"start_line\": 5,\n"
      "        \"highlight_start_offset\": 16,\n        \"highlight_end_offset\": 21,\n"
      "        \"values\": [\n          {\n            \"traversal\": \"var.a\",\n            \"statement\": "
      "\"is \\\"x\\\"\"\n"
      "          }\n        ],\n"
      "        \"function_call\": {\n          \"called_as\": \"upper\",\n          \"signature\": {\n"
      "            \"name\": \"upper\",\n            \"params\": [\n              {\n                "
      "\"name\": \"str\",\n"
      "                \"type\": \"string\"\n              }\n            ],\n            \"return_type\": "
      "\"string\"\n"
      "          }\n        }\n      }\n    }\n  ]\n}\n");
  Diagnostics none;
  CHECK(render::validate_json(none, nullptr) ==
        "{\n  \"format_version\": \"1.0\",\n  \"valid\": true,\n  \"error_count\": 0,\n  \"warning_count\": "
        "0,\n"
        "  \"diagnostics\": []\n}\n");
}

TEST_CASE("diagnostics: of a long line only what is near is shown, and what is marked stays what it is") {
  std::string line = "{\"locals\": {";
  for (int i = 0; i < 3000; ++i)
    line += "\"näme" + std::to_string(i) + "\": \"${nope" + std::to_string(i) + "}\", ";
  line += "\"last\": \"" + std::string(3000, 'x') + "\"}}\n";
  SourceTable table;
  const uint32_t base = table.add("main.tf.json", line);
  auto at = [&](const std::string& text) {
    const uint32_t i = base + static_cast<uint32_t>(line.find(text));
    return Range{i, i + static_cast<uint32_t>(text.size())};
  };
  render::Snippets snippets(table);
  struct Row {
    std::string marked;
    bool cut_before, cut_after;
  };
  for (const Row& r : {Row{"{\"locals\"", false, true},
                       {"\"näme1\"", false, true},
                       {"${nope2000}", true, true},
                       {"\"}}", true, false}}) {
    CAPTURE(r.marked);
    Diagnostics diags;
    const Diagnostic& d =
        diags.error("Wrong", "", at(r.marked), {base, base + static_cast<uint32_t>(line.size())});
    render::Snippet s;
    REQUIRE(snippets.find(d, s));
    CHECK(s.code.size() < 450);
    CHECK(s.code.substr(s.mark_begin, s.mark_end - s.mark_begin) == r.marked);
    CHECK(s.code.starts_with("…") == r.cut_before);
    CHECK(s.code.ends_with("…") == r.cut_after);
    CHECK(s.start.column == 1 + static_cast<int>(graphemes(line.substr(0, line.find(r.marked))).size()));
    CHECK(s.start.byte == static_cast<int>(line.find(r.marked)));
  }
  Diagnostics diags;
  diags.error("Wrong", "", at(std::string(3000, 'x')));
  render::HumanOptions o;
  o.color = true;
  std::string out;
  render::render_diagnostic(diags.all()[0], &table, o, out);
  out = for_terminal(out);
  const size_t mark = out.find("\x1b[4m"), end = out.find("\x1b[0m", mark);
  CHECK(out.substr(mark + 4, end - mark - 4) == std::string(400, 'x'));
  CHECK(out.substr(end + 4, 4) == "…\n");
}

TEST_CASE("diagnostics: a long line beside short ones is cut, and those are not") {
  const std::string text =
      "a = [\n  " + std::string(1000, 'l') + ",\n  here,\n  " + std::string(1000, 'r') + "\n]\n";
  SourceTable table;
  const uint32_t base = table.add("main.tf", text);
  const uint32_t here = base + static_cast<uint32_t>(text.find("here"));
  Diagnostics diags;
  const Diagnostic& d =
      diags.error("Wrong", "", {here, here + 4}, {base, base + static_cast<uint32_t>(text.size()) - 1});
  render::Snippets snippets(table);
  render::Snippet s;
  REQUIRE(snippets.find(d, s));
  CHECK(s.first_line == 1);
  CHECK(s.code == "a = [\n  " + std::string(198, 'l') + "…\n  here,\n  " + std::string(198, 'r') + "…\n]");
  CHECK(s.code.substr(s.mark_begin, s.mark_end - s.mark_begin) == "here");
}

TEST_CASE("sources: columns count characters, in whatever order places of a long line are asked for") {
  std::string line;
  for (int i = 0; i < 3000; ++i) line += i % 7 ? "ab" : i % 2 ? "e\u0301" : "\U0001F468\u200D\U0001F469";
  line = "first\n" + line + "\nlast";
  for (bool backwards : {false, true}) {
    SourceTable table;
    const uint32_t base = table.add("x", line);
    for (uint32_t i = 0; i + 6 < line.size(); i += 997) {
      const uint32_t place = 6 + (backwards ? static_cast<uint32_t>(line.size()) - 6 - i : i);
      ResolvedRange at;
      REQUIRE(table.resolve({base + place, base + place}, at));
      const size_t start = line.rfind('\n', place - 1) + 1;
      CHECK(at.start.column ==
            1 + static_cast<int>(graphemes(std::string_view(line).substr(start, place - start)).size()));
    }
  }
}

// In processor time, which is not the machine's: each place of the one line took some 300 times as long once.
TEST_CASE("sources: many places of one long line take hardly longer than those of as many lines") {
  constexpr uint32_t kPlaces = 20'000, kEach = 50;
  auto seconds = [](char between) {
    std::string text;
    for (uint32_t i = 0; i < kPlaces; ++i) text += "local.nope" + std::string(kEach - 11, 'x') + between;
    SourceTable table;
    const uint32_t base = table.add("main.tf", text);
    ResolvedRange at;
    table.resolve({base + 1, base + 1}, at);
    const std::clock_t start = std::clock();
    for (uint32_t i = 0; i < kPlaces; ++i) table.resolve({base + i * kEach, base + i * kEach + 10}, at);
    CHECK(at.start.column == static_cast<int>(between == ' ' ? 1 + (kPlaces - 1) * kEach : 1));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  CHECK(seconds(' ') < 40 * seconds('\n') + 0.02);
}

TEST_CASE("diagnostics: lines that are broken") {
  const struct {
    int width;
    const char *text, *lines;
  } rows[] = {{12, "one two three four", "one two\nthree four"},
              {12, "  - one two three\n  - four", "  - one two\n    three\n  - four"},
              {12, "- one two three", "- one two\n  three"},
              {12, "  one two three four", "  one two three four"},
              {4, "  - one two", "  - one\n    two"},
              {4, "abcdefgh ij", "abcdefgh\nij"},
              {0, "  - one two three four", "  - one two three four"}};
  for (const auto& r : rows) {
    std::string out;
    render::put_wrapped(out, r.text, r.width);
    CHECK(out == r.lines);
  }
  std::string out;
  render::put_hanging(out, "  # ", "(because of this)", "  #  ", 13);
  CHECK(out == "  # (because\n  #  of this)");
}
