// Deep nesting gives a diagnostic, and parsing time stays proportional to the input.
#include <catch2/catch.hpp>
#include <chrono>

#include "core/schema/decode.h"
#include "tests/unit/syntax/dump.h"

using namespace xplan;
using namespace xplan::syntax;

namespace {

std::string repeat(std::string_view s, size_t n) {
  std::string out;
  out.reserve(s.size() * n);
  for (size_t i = 0; i < n; ++i) out += s;
  return out;
}

// Parses as a file and gives the summaries of what was reported, each once.
std::string problems(std::string text, bool json = false) {
  SourceTable sources;
  Diagnostics diags;
  auto file = json ? parse_json(sources, "t.tf.json", std::move(text), diags)
                   : parse_native(sources, "t.tf", std::move(text), diags);
  for (const Attribute& a : just_attributes(file->body, diags)) {
    int high = 0;
    walk(*a.expr, [&](const Expr& e) { high = std::max<int>(high, e.height); });
    CHECK(high <= kMaxHeight);
    std::vector<const Traversal*> refs;
    collect_traversals(*a.expr, refs);
  }
  take_late(*file, diags);
  std::string out, last;
  for (const Diagnostic& d : diags.all())
    if (d.summary != last) out += (out.empty() ? "" : "; ") + d.summary, last = d.summary;
  return out;
}

constexpr size_t kMany = 100000;

}  // namespace

TEST_CASE("syntax: deep nesting is a diagnostic, never a crash") {
  struct {
    std::string name, before, open, middle, close, after, problem;
  } rows[] = {
      {"brackets", "a = ", "[", "1", "]", "\n", "Nested too deeply"},
      {"open brackets", "a = ", "[", "", "", "\n", "Nested too deeply"},
      {"parentheses", "a = ", "(", "1", ")", "\n", "Nested too deeply"},
      {"objects", "a = ", "{a = ", "1", "}", "\n", "Nested too deeply"},
      {"object keys", "a = ", "{", "1", " = 1}", "\n", "Nested too deeply"},
      {"calls", "a = ", "f(", "1", ")", "\n", "Nested too deeply"},
      {"indexes", "a = ", "b[", "1", "]", "\n", "Nested too deeply"},
      {"loops", "a = ", "[for x in y : ", "1", "]", "\n", "Nested too deeply"},
      {"templates", "a = ", "\"${", "1", "}\"", "\n", "Nested too deeply"},
      {"open templates", "a = ", "\"${", "", "", "\n", "Nested too deeply"},
      {"heredocs", "a = ", "<<E\n${", "1", "}\nE\n", "\n", "Nested too deeply"},
      {"directives", "a = \"", "%{if b}", "", "%{endif}", "\"\n", "Nested too deeply"},
      {"directives in conditions", "a = ", "\"%{if ", "b", "}%{endif}\"", "\n", "Nested too deeply"},
      {"negations", "a = ", "!", "b", "", "\n", "Nested too deeply"},
      {"minuses", "a = ", "- ", "b", "", "\n", "Nested too deeply"},
      {"conditionals", "a = ", "b ? c : ", "d", "", "\n", "Nested too deeply"},
      {"conditionals in the middle", "a = ", "b ? ", "c", " : d", "\n", "Nested too deeply"},
      {"sums", "a = ", "b + ", "c", "", "\n", "Expression is too long"},
      {"ors", "a = ", "b || ", "c", "", "\n", "Expression is too long"},
      {"mixed", "a = ", "b || c && d == e < f + g * ", "c", "", "\n", "Expression is too long"},
      {"sums in parentheses", "a = ", "(1 + 1 + ", "c", ")", "\n", "Nested too deeply"},
      {"index chain", "a = b", "[c]", "", "", "\n", "Expression is too long"},
      {"splat chain", "a = b", "[*]", "", "", "\n", "Nested too deeply"},
      {"attribute splat chain", "a = b", ".*[0]", "", "", "\n", "Expression is too long"},
      {"blocks", "", "a {\n", "", "}\n", "b = 1\n", "Nested too deeply; Unexpected block"},
      {"open blocks", "", "a {\n", "", "", "", "Nested too deeply; Unclosed block; Unexpected block"},
      {"closed braces", "", "}\n", "", "", "", "Unexpected closing brace"},
      {"single-line blocks", "", "a { ", "", "}", "\n",
       "Block in a single-line block; Nested too deeply; Unexpected block"},
  };
  for (auto& r : rows) {
    INFO(r.name);
    CHECK(problems(r.before + repeat(r.open, kMany) + r.middle + repeat(r.close, kMany) + r.after) ==
          r.problem);
  }
  CHECK(problems("{\"a\": " + repeat("[", kMany) + repeat("]", kMany) + "}", true) == "Invalid JSON");
  CHECK(problems("{\"a\": " + repeat("[", 800) + repeat("]", 800) + "}", true) == "Nested too deeply");
  CHECK(problems("{\"a\": \"" + repeat("${[\\\"", kMany) + "\"}", true) == "Nested too deeply");
}

TEST_CASE("syntax: what is allowed is allowed in full") {
  CHECK(problems("a = " + repeat("[", 450) + repeat("]", 450) + "\n") == "");
  CHECK(problems("a = " + repeat("b ? c : ", 450) + "d\n") == "");
  CHECK(problems("a = " + repeat("b + ", 990) + "d\n") == "");
  CHECK(problems("a = b" + repeat(".c", kMany) + repeat("[0]", kMany) + "\n") == "");
  CHECK(problems("a = [" + repeat("b, ", kMany) + "]\n") == "");
  CHECK(problems("a = \"" + repeat("${b} ", kMany) + "\"\n") == "");
}

// Each input is many times longer than what a quadratic pass could get through in the time limit of a test.
TEST_CASE("syntax: long inputs take time in proportion") {
  struct {
    std::string name, text;
    bool json, fine;
  } rows[] = {
      {"one long string", "a = \"" + repeat("x", 5000000) + "\"\n", false, true},
      {"one long string with escapes", "a = \"" + repeat("x\\n", 1000000) + "\"\n", false, true},
      {"one long name", repeat("x", 5000000) + " = 1\n", false, true},
      {"one long comment", "a = [/*" + repeat("*\n", 1000000) + "*/ 1\n]\n", false, true},
      {"a long heredoc", "a = <<-E\n" + repeat("  text $ {\n", 300000) + "  E\n", false, true},
      {"errors on every line", repeat("a = ]\n", 100000), false, false},
      {"unclosed quotes on every line", repeat("a = \"${\n", 30000), false, false},
      {"unclosed brackets on every line", repeat("a = [\n", 30000), false, false},
      {"unclosed braces on every line", repeat("a {\nb = {\n", 30000), false, false},
      {"unclosed heredocs", repeat("a = <<X\n", 100000), false, false},
      {"headers in the first column, never closed", repeat("a \"b\" {\n", 100000), false, false},
      {"quotes before braces", repeat("a \"b\n", 100000), false, false},
      {"JSON escapes", "{\"a\": \"${b}" + repeat("\\n", 1000000) + "\"}", true, true},
      {"JSON members",
       "{\"a\": {" +
           [] {
             std::string s;
             for (int i = 0; i < 100000; ++i) s += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":\"${x}\"";
             return s;
           }() +
           "}}",
       true, true},
      {"JSON arguments",
       "{" +
           [] {
             std::string s;
             for (int i = 0; i < 100000; ++i) s += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
             return s;
           }() +
           "}",
       true, true},
  };
  for (auto& r : rows) {
    INFO(r.name);
    auto start = std::chrono::steady_clock::now();
    std::string found = problems(r.text, r.json);
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK((found == "") == r.fine);
    if (seconds > 1.5) WARN(r.name << " took " << seconds << " s");
    CHECK(seconds < 20);
  }
}

TEST_CASE("syntax: 10 MB files", "[.bench]") {
  std::string native, json = "{\"resource\": {\"t\": {";
  for (int i = 0; native.size() < 10000000; ++i) {
    std::string n = std::to_string(i);
    native += "resource \"terraform_data\" \"r" + n + "\" {\n  input = {\n    name = \"name-${var.prefix}-" +
              n + "\"\n    list = [1, 2, \"three\", local.x[\"k\"].y]\n    sum  = max(" + n +
              ", 2) + length(data.a.b[*].c)\n  }\n\n  depends_on = [terraform_data.a]\n}\n\n";
  }
  for (int i = 0; json.size() < 10000000; ++i) {
    std::string n = std::to_string(i);
    json += (i ? ",\n\"r" : "\"r") + n + "\": {\"input\": {\"name\": \"name-${var.prefix}-" + n +
            "\", \"list\": [1, 2, \"three\", \"${local.x[\\\"k\\\"].y}\"], \"sum\": \"${max(" + n +
            ", 2)}\"}, \"depends_on\": [\"terraform_data.a\"]}";
  }
  json += "}}}";
  for (bool is_json : {false, true}) {
    auto start = std::chrono::steady_clock::now();
    SourceTable sources;
    Diagnostics diags;
    auto file = is_json ? parse_json(sources, "t.tf.json", std::move(json), diags)
                        : parse_native(sources, "t.tf", std::move(native), diags);
    BodySchema schema;
    schema.blocks = {{"resource", {"type", "name"}}};
    size_t n = 0;
    for (const Block& b : decode(file->body, schema, diags).blocks)
      n += just_attributes(b.body, diags).size();
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK_FALSE(diags.has_errors());
    WARN((is_json ? "json " : "native ") << n << " arguments, " << seconds << " s");
  }
}
