// same_json: layouts that count as equal and texts that do not.
#include <catch2/catch.hpp>

#include "core/state/same_json.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

const char* kText = R"({
  "any": {"value": ["a", 1], "type": ["tuple", ["string", "number"]]},
  "list": [1, 2.5, null], "map": {"a": "x", "b": "\u003cy>"}, "name": "n", "on": true, "set": ["p", "q"]
})";

Type type() {
  return Type::object({{Symbol("any"), Type::dynamic()},
                       {Symbol("list"), Type::list(Type::number())},
                       {Symbol("map"), Type::map(Type::string())},
                       {Symbol("name"), Type::string()},
                       {Symbol("on"), Type::boolean()},
                       {Symbol("set"), Type::set(Type::string())}});
}
Value value() {
  auto v = parse_json_as(kText, type());
  REQUIRE(v);
  return *v;
}
std::string changed(std::string_view from, std::string_view to) {
  std::string text = kText;
  size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a text is the same as the value that was read from it, however it is laid out") {
  CHECK(same_json(kText, value(), type()));
  CHECK(same_json(to_json_as(value(), type()), value(), type()));
  CHECK(same_json("null", Value::null(type()), type()));
  CHECK(same_json("{}", Value::object({}), Type::object({})));
}

TEST_CASE("what would be written in another way is not the same") {
  for (auto [from, to] :
       {std::pair<const char*, const char*>{"\"n\"", "\"m\""},
        {"\"n\"", "null"},
        {"true", "false"},
        {"true", "\"true\""},
        {"2.5", "2.50"},
        {"[1, 2.5, null]", "[1, 2.5]"},
        {"[1, 2.5, null]", "[1, 2.5, null, 3]"},
        {"[1, 2.5, null]", "{}"},
        {"[\"p\", \"q\"]", "[\"q\", \"p\"]"},
        {"\"a\": \"x\"", "\"c\": \"x\""},
        {"\"a\": \"x\", ", ""},
        {"\"on\": true", "\"old\": 1, \"on\": true"},
        {"\"on\": true,", ""},
        {"[\"string\", \"number\"]", "[\"string\", \"string\"]"},
        {", \"type\": [\"tuple\", [\"string\", \"number\"]]", ""},
        {"{\"value\": [\"a\", 1], \"type\": [\"tuple\", [\"string\", \"number\"]]}", "\"a\""},
        {"\"set\": [\"p\", \"q\"]", "\"set\": [\"p\", \"q\""},
        {"\n}", ",\"z\": 1}"}}) {
    INFO(from << " -> " << to);
    CHECK(!same_json(changed(from, to), value(), type()));
  }
  CHECK(!same_json("{}", Value::null(type()), type()));
  CHECK(!same_json("", value(), type()));
}
