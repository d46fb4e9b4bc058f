// Documents of servers: what is none, and look-ups that never fail.
#include "core/hosts/document.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace xplan;
using namespace xplan::hosts;

namespace {

std::string nested(int depth, const std::string& open, const std::string& close) {
  std::string out;
  for (int i = 0; i < depth; ++i) out += open;
  for (int i = 0; i < depth; ++i) out += close;
  return out;
}

}  // namespace

TEST_CASE("document: only whole objects of UTF-8, not nested too deeply, are documents") {
  for (const std::string good :
       {std::string("{}"), std::string(" {\"a\": [1, 2.5e10, null, true, \"\\u00e4\"]} \n"),
        "\xef\xbb\xbf{}" + std::string(), "{\"a\":" + nested(99, "[", "]") + "}",
        "{\"a\":\"" + nested(1000, "[", "{") + "\\\"" + nested(1000, "{", "[") + "\"}"})
    CHECK(parse_document(good));
  for (const std::string bad :
       {std::string(), std::string("[]"), std::string("1"), std::string("{"), std::string("{} x"),
        std::string("{\"a\":1,}"), std::string("{'a':1}"), std::string("{\"a\":\"\xff\"}"),
        std::string("{\"a\":\"\n\"}"), std::string("{\"a\":1e400}"), std::string("{\"a\":01}"),
        std::string("{\"a\":\"\\"), "{\"a\":" + nested(100, "[", "]") + "}"})
    CHECK_FALSE(parse_document(bad));
  // Nothing that grows with the depth: this text would take gigabytes.
  for (const char* open : {"[", "{\"a\":", "[{\"a\":"}) {
    std::string text = "{\"a\":";
    while (text.size() < (size_t{32} << 20)) text += open;
    CHECK_FALSE(parse_document(text));
  }
}

TEST_CASE("document: what has too many values costs nothing, and errors say what is wrong") {
  for (const char* piece : {"1,", "{},", "[],", "[[[]]],", "{\"a\":{}},", "\"\","}) {
    std::string text = "{\"a\":[";
    while (text.size() < (size_t{8} << 20)) text += piece;
    text += "1]}";
    const auto doc = parse_document(text);
    REQUIRE_FALSE(doc);
    CHECK(doc.error().message == "has too many values");
  }
  CHECK(parse_document("[]").error().message == "is not a JSON object");
  CHECK(parse_document("{\"a\":" + nested(100, "[", "]") + "}").error().message == "is nested too deeply");
  std::string many = "{\"a\":[1";
  for (int i = 0; i < 400'000; ++i) many += ",1";
  CHECK(parse_document(many + "]}"));
  CHECK(parse_document("{\"a\":\"" + nested(1'000'000, ",", ":") + "\"}"));
}

TEST_CASE("document: strings are one line that somebody can read") {
  const auto doc = parse_document(
      "{\"nul\": \"a\\u0000b\", \"lines\": \"a\\nb\", \"escape\": \"\\u001b[2J\","
      " \"long\": \"" +
      std::string(9000, 'x') + "\"}");
  REQUIRE(doc);
  for (const char* name : {"nul", "lines", "escape", "long"}) CHECK(text_in(*doc, name).empty());
  CHECK(string_in(*doc, "lines") == "a\nb");
  CHECK(string_in(*doc, "long").size() == 9000);
  CHECK(string_in(*doc, "absent").empty());
}

TEST_CASE("document: look-ups give nothing for what is absent or of another type") {
  const auto doc = parse_document(
      "{\"text\": \"x\", \"number\": 1, \"list\": [\"a\", 2], \"object\": {\"in\": \"y\"}, \"null\": null,"
      " \"twice\": \"first\", \"twice\": \"last\"}");
  REQUIRE(doc);
  CHECK(text_in(*doc, "text") == "x");
  CHECK(text_in(*doc, "twice") == "last");
  for (const char* name : {"number", "list", "object", "null", "absent"}) CHECK(text_in(*doc, name).empty());
  REQUIRE(list_in(*doc, "list"));
  CHECK(list_in(*doc, "list")->size() == 2);
  CHECK(text_of((*list_in(*doc, "list"))[1]).empty());
  for (const char* name : {"text", "number", "object", "null", "absent"}) CHECK_FALSE(list_in(*doc, name));
  REQUIRE(object_in(*doc, "object"));
  CHECK(text_in(*object_in(*doc, "object"), "in") == "y");
  for (const char* name : {"text", "number", "list", "null", "absent"}) CHECK_FALSE(object_in(*doc, name));
  // In what is not an object.
  const Json& list = *list_in(*doc, "list");
  CHECK_FALSE(member(list, "a"));
  CHECK(text_in(list, "a").empty());
}

TEST_CASE("document: bytes that are not UTF-8 become what stands for them when it is written") {
  CHECK(document_text(Json{{"a", "x\xff"}, {"b", {1, "é"}}}) == "{\"a\":\"x\xef\xbf\xbd\",\"b\":[1,\"é\"]}");
}
