// The JSON reader: round trips, error positions, look-ups of members, depth limit, truncated input.
#include "core/base/json_reader.h"

#include <catch2/catch.hpp>

#include "core/base/json_writer.h"

using namespace xplan;

namespace {

// Prints a node back, compactly, numbers as written.
void print(const JsonNode& n, JsonWriter& w) {
  switch (n.kind) {
    case JsonNode::Kind::Null:
      w.null();
      break;
    case JsonNode::Kind::True:
      w.boolean(true);
      break;
    case JsonNode::Kind::False:
      w.boolean(false);
      break;
    case JsonNode::Kind::Number:
      w.raw(n.text);
      break;
    case JsonNode::Kind::String:
      w.string(n.text);
      break;
    case JsonNode::Kind::Array:
      w.begin_array();
      for (const JsonNode* i : n.items) print(*i, w);
      w.end_array();
      break;
    case JsonNode::Kind::Object:
      w.begin_object();
      for (const JsonMember& m : n.members) w.key(m.key), print(*m.value, w);
      w.end_object();
      break;
  }
}

std::string reprint(std::string_view text) {
  JsonError e;
  auto doc = JsonDocument::parse(text, e);
  if (!doc) return "error " + std::to_string(e.offset) + ": " + e.message;
  JsonWriter w;
  print(doc->root(), w);
  return w.take();
}

}  // namespace

TEST_CASE("JSON texts are read and printed back") {
  struct Row {
    const char* in;
    const char* out;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"null", "null"},
           {" \t\r\n true \n", "true"},
           {"\xEF\xBB\xBF{}", "{}"},
           {"[]", "[]"},
           {"[ 1 , 2.50,-0, 1e400, 18446744073709551616 ,1E+2]",
            "[1,2.50,-0,1e400,18446744073709551616,1E+2]"},
           {R"({"b":1,"a":{"x":[{}]},"b":2})", R"({"b":1,"a":{"x":[{}]},"b":2})"},
           {R"("\"\\\/\b\f\n\r\t")", R"("\"\\/\b\f\n\r\t")"},
           {R"("\u0041\u00e9\u20AC\ud83d\ude00")", "\"Aé€😀\""},
           {R"("\ud83d")", "\"\uFFFD\""},
           {R"("\ude00x")", "\"\uFFFDx\""},
           {R"("\ud83d\u0041")", "\"\uFFFDA\""},
           {R"("\ud83d\ud83d\ude00")", "\"\uFFFD😀\""},
           {"\"a\xFFz\xC3\"", "\"a\uFFFDz\uFFFD\""},
           {"\"\x7f\"", "\"\x7f\""},
           {R"("\u0000")", R"("\u0000")"},
       }) {
    INFO(r.in);
    CHECK(reprint(r.in) == r.out);
  }
}

TEST_CASE("a JSON syntax error says where and why") {
  struct Row {
    const char* in;
    uint32_t offset;
    const char* words;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"", 0, "empty"},
           {"  ", 2, "empty"},
           {"{", 0, "no closing brace"},
           {R"({"a":1)", 0, "no closing brace"},
           {R"({"a":1,)", 0, "no closing brace"},
           {"[1", 0, "no closing bracket"},
           {"[1,", 0, "no closing bracket"},
           {"[1,]", 2, "comma after the last element"},
           {R"({"a":1,})", 6, "comma after the last member"},
           {"[1 2]", 3, "comma is expected between elements"},
           {R"({"a":1 "b":2})", 7, "comma is expected between members"},
           {"[1}", 2, "does not match"},
           {R"({"a" 1})", 5, "colon is expected"},
           {R"({"a" = 1})", 5, "not an equals sign"},
           {"{a:1}", 1, "member name in double quotes"},
           {R"({"a":})", 5, "value is expected"},
           {"[,]", 1, "value is missing"},
           {R"({,})", 1, "member is missing"},
           {R"("abc)", 0, "no closing quote"},
           {"\"abc\\", 4, "no closing quote"},
           {R"("a\x")", 2, "escape sequence is not valid"},
           {R"("\u12G4")", 1, "four hexadecimal digits"},
           {R"("\u12)", 1, "four hexadecimal digits"},
           {"\"a\nb\"", 2, "on the next line"},
           {"\"a\x01\"", 2, "control character"},
           {"1 2", 2, "extra characters"},
           {"{} // x", 3, "comments are not allowed"},
           {"# x\n{}", 0, "comments are not allowed"},
           {"{/* */}", 1, "comments are not allowed"},
           {"[1, // x\n2]", 4, "comments are not allowed"},
           {"01", 0, "leading zeros"},
           {"-", 1, "digit is expected after the minus"},
           {"-x", 1, "digit is expected after the minus"},
           {"1.", 2, "after the decimal point"},
           {"1e", 2, "in the exponent"},
           {"1x", 1, "cannot be part of a number"},
           {"1.2.3", 3, "cannot be part of a number"},
           {"+1", 0, "plus sign"},
           {".5", 0, "must begin with a digit"},
           {"NaN", 0, "a word is not a JSON value"},
           {"nulls", 0, "a word is not a JSON value"},
           {"tru", 0, "a word is not a JSON value"},
           {"'a'", 0, "double quotes"},
           {"@", 0, "cannot start"},
       }) {
    INFO(r.in);
    JsonError e;
    CHECK_FALSE(JsonDocument::parse(r.in, e));
    CHECK(e.offset == r.offset);
    CHECK_THAT(e.message, Catch::Contains(r.words));
  }
  JsonError e;
  std::string text = "{\n  \"é\": 1,\n  \"ü\" 2\n}";
  CHECK_FALSE(JsonDocument::parse(text, e));
  CHECK_THAT(e.text(text), Catch::StartsWith("line 3, column 7: a colon"));
}

TEST_CASE("JSON positions are byte offsets of nodes and of keys with their quotes") {
  std::string text = "\xEF\xBB\xBF{ \"k\\u0041é\" : [ 10, \"x\" ] }";
  JsonError e;
  auto doc = JsonDocument::parse(text, e);
  REQUIRE(doc);
  auto at = [&](uint32_t b, uint32_t en) { return text.substr(b, en - b); };
  const JsonNode& root = doc->root();
  CHECK(root.begin == 3);
  CHECK(root.end == text.size());
  REQUIRE(root.members.size() == 1);
  const JsonMember& m = root.members[0];
  CHECK(m.key == "kAé");
  CHECK(at(m.key_begin, m.key_end) == "\"k\\u0041é\"");
  CHECK(at(m.value->begin, m.value->end) == "[ 10, \"x\" ]");
  CHECK(at(m.value->items[0]->begin, m.value->items[0]->end) == "10");
  CHECK(at(m.value->items[1]->begin, m.value->items[1]->end) == "\"x\"");
}

TEST_CASE("a JSON member is found by name, the last of duplicates, in small and in large objects") {
  for (int n : {0, 1, 31, 32, 1000}) {
    std::string text = "{\"dup\":-1";
    for (int i = 0; i < n; ++i) text += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
    text += ",\"dup\":-2}";
    JsonError e;
    auto doc = JsonDocument::parse_owned(text, e);
    REQUIRE(doc);
    const JsonNode& o = doc->root();
    CHECK(o.members.size() == static_cast<size_t>(n) + 2);
    CHECK(o.members[0].key == "dup");
    REQUIRE(o.find("dup"));
    CHECK(o.find("dup")->text == "-2");
    for (int i = 0; i < n; ++i) {
      const JsonNode* f = o.find("k" + std::to_string(i));
      REQUIRE(f);
      CHECK(f->text == std::to_string(i));
    }
    CHECK(o.find("") == nullptr);
    CHECK(o.find("zzz") == nullptr);
  }
}

TEST_CASE("JSON depth is limited to 1000 levels") {
  auto nested = [](int n, char open, char close) {
    return std::string(static_cast<size_t>(n), open) + std::string(static_cast<size_t>(n), close);
  };
  CHECK(reprint(nested(1000, '[', ']')) == nested(1000, '[', ']'));
  CHECK_THAT(reprint(nested(1001, '[', ']')), Catch::Contains("deeper than 1000"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK_THAT(reprint(objects), Catch::Contains("error 5000: the nesting is deeper than 1000"));
}

TEST_CASE("an owned JSON text survives the caller's") {
  std::unique_ptr<JsonDocument> doc;
  {
    std::string text = "[\"abc\"]";
    JsonError e;
    doc = JsonDocument::parse_owned(std::move(text), e);
  }
  REQUIRE(doc);
  CHECK(doc->root().items[0]->str() == "abc");
  CHECK(doc->text() == "[\"abc\"]");
}

TEST_CASE("a hostile JSON text of any truncation is refused or read without harm") {
  std::string text = R"({"a\u00e9\ud83d\ude00":[1.5e-3,true,false,null,{"b":"c"}],"é":"x"})";
  for (size_t n = 0; n <= text.size(); ++n) {
    std::unique_ptr<char[]> exact(new char[n + 1]);  // so that a read behind the end is seen by a sanitizer
    std::copy_n(text.data(), n, exact.get());
    JsonError e;
    auto doc = JsonDocument::parse({exact.get(), n}, e);
    CHECK(static_cast<bool>(doc) == (n == text.size()));
  }
}
