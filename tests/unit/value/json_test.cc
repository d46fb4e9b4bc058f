// Values from and to JSON, with and without a declared type.
#include "core/value/json.h"

#include <catch2/catch.hpp>

#include "core/value/convert.h"
#include "tests/support/values.h"

using namespace xplan;
using namespace xplan::test;

TEST_CASE("JSON is read as values of the types it shows, and written back") {
  struct Row {
    const char* in;
    const char* out;
    const char* type;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"null", "null", R"("dynamic")"},
           {" true ", "true", R"("bool")"},
           {"1.50", "1.5", R"("number")"},
           {"-0", "-0", R"("number")"},
           {"18446744073709551616", "18446744073709551616", R"("number")"},
           {"1e30", "1000000000000000000000000000000", R"("number")"},
           {"0.1", "0.1", R"("number")"},
           {"1E-7", "0.0000001", R"("number")"},
           {R"("<é>")", "\"\\u003cé\\u003e\"", R"("string")"},
           {"\"e\\u0301\"", "\"é\"", R"("string")"},
           {"[]", "[]", R"(["tuple",[]])"},
           {"[1,\"a\",[null]]", "[1,\"a\",[null]]", R"(["tuple",["number","string",["tuple",["dynamic"]]]])"},
           {"{}", "{}", R"(["object",{}])"},
           {R"({"b":1,"a":"x","b":true})", R"({"a":"x","b":true})",
            R"(["object",{"a":"string","b":"bool"}])"},
       }) {
    INFO(r.in);
    Result<Value> v = parse_json(r.in);
    REQUIRE(v.ok());
    CHECK(to_json(*v) == r.out);
    CHECK(v->type().json() == r.type);
    JsonError e;
    CHECK(json_implied_type(JsonDocument::parse(r.in, e)->root()).json() == r.type);
  }
  Result<Value> bad = parse_json("{\n \"a\": [1,]}");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message == "line 2, column 9: there is a comma after the last element");
  CHECK(parse_json("[1, [1e99999999999]]").error().message == "[1][0]: this number is too large");
}

TEST_CASE("JSON is read as a declared type") {
  struct Row {
    const char* in;
    const char* type;
    const char* out;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"null", R"("string")", R"(null "string")"},
           {"12", R"("string")", R"("12" "string")"},
           {"1.50", R"("string")", R"("1.50" "string")"},
           {"true", R"("string")", R"("true" "string")"},
           {"\"12\"", R"("number")", R"(12 "number")"},
           {"\"x\"", R"("number")", "error: a number is required, but this string is not one"},
           {"1e999999999", R"("number")", "error: this number is too large"},
           {"[-1e999999999]", R"(["list","number"])", "error: [0]: this number is too large"},
           {"\"Inf\"", R"("number")", "error: this number is too large"},
           {"true", R"("number")", "error: a number is required, but this is a bool"},
           {"\"true\"", R"("bool")", R"(true "bool")"},
           {"\"0\"", R"("bool")", R"(false "bool")"},
           {"1", R"("bool")", "error: a bool is required, but this is a number"},
           {"[]", R"("string")", "error: a string is required, but this is an array"},
           {"[1,2]", R"(["list","string"])", R"(["1","2"] ["list","string"])"},
           {"[2,1,2]", R"(["set","number"])", R"([1,2] ["set","number"])"},
           {"[null]", R"(["list","number"])", R"([null] ["list","number"])"},
           {"{}", R"(["list","number"])", "error: a list is required, but this is an object"},
           {"[1,[]]", R"(["list","number"])", "error: [1]: a number is required, but this is an array"},
           {R"({"b":1,"a":2})", R"(["map","number"])", R"({"a":2,"b":1} ["map","number"])"},
           {R"({"a":{"b":[]}})", R"(["map",["map","number"]])",
            "error: [\"a\"][\"b\"]: a number is required, but this is an array"},
           {"[1]", R"(["map","number"])", "error: a map is required, but this is an array"},
           {R"([1,"x"])", R"(["tuple",["string","string"]])", R"(["1","x"] ["tuple",["string","string"]])"},
           {"[1]", R"(["tuple",["string","string"]])",
            "error: a tuple of 2 elements is required, but this one has 1"},
           {R"({"a":1})", R"(["object",{"a":"number","b":"string"}])",
            R"({"a":1,"b":null} ["object",{"a":"number","b":"string"}])"},
           {R"({"a":1,"c":1})", R"(["object",{"a":"number"}])",
            "error: the attribute \"c\" is not expected here"},
           {R"({"a":1,"a":2})", R"(["object",{"a":"number"}])", R"({"a":2} ["object",{"a":"number"}])"},
           // positions of any type
           {R"({"value":[1,"x"],"type":["list","string"]})", R"("dynamic")",
            R"(["1","x"] ["list","string"])"},
           {R"({"type":"number","value":null})", R"("dynamic")", R"(null "number")"},
           {"null", R"("dynamic")", R"(null "dynamic")"},
           {R"({"x":{"value":{"c":null},"type":["object",{"c":"dynamic"}]}})",
            R"(["object",{"x":"dynamic"}])",
            R"({"x":{"c":null}} ["object",{"x":["object",{"c":"dynamic"}]}])"},
           {R"([{"value":1,"type":"number"},null])", R"(["list","dynamic"])",
            R"([1,null] ["list","number"])"},
           {R"([{"value":1,"type":"number"},{"value":"x","type":"string"}])", R"(["list","dynamic"])",
            "error: all elements must have the same type"},
           {R"({"value":1})", R"("dynamic")",
            "error: a value of any type must be an object with \"value\" and \"type\", but one of them is "
            "missing"},
           {R"({"value":1,"type":"number","x":0})", R"("dynamic")",
            "error: a value of any type can have only \"value\" and \"type\", not \"x\""},
           {R"({"value":1,"type":"text"})", R"("dynamic")",
            "error: the type of this value cannot be read: \"text\" is not a valid type"},
           {"1", R"("dynamic")",
            "error: a value of any type is written as an object with \"value\" and \"type\", but this is a "
            "number"},
       }) {
    INFO(r.in << " as " << r.type);
    Result<Value> v = parse_json_as(r.in, type_of(r.type));
    CHECK((v.ok() ? to_json(*v) + " " + v->type().json() : "error: " + v.error().message) == r.out);
  }
  Type t = type_of(R"(["object",{"a":"number","b":"string"}])");
  CHECK(parse_json_as(R"({"a":1})", t, false).error().message == "the attribute \"b\" is missing");
  CHECK(to_json(*parse_json_as(R"({"a":1,"z":[],"b":""})", t, false, true)) == R"({"a":1,"b":""})");
}

TEST_CASE("positions of any type are wrapped, as in states, and only those") {
  struct Row {
    const char* value;
    const char* declared;
    const char* out;
  };
  for (
      const Row& r : std::initializer_list<Row>{
          {R"({"i":{"c":null,"b":[true,"x"],"a":1},"n":null,"s":"t"})",
           R"(["object",{"i":"dynamic","n":"dynamic","s":"string"}])",
           R"({"i":{"value":{"a":1,"b":[true,"x"],"c":null},"type":["object",{"a":"number","b":["tuple",["bool","string"]],"c":"dynamic"}]},"n":null,"s":"t"})"},
          {R"("x")", R"("dynamic")", R"({"value":"x","type":"string"})"},
          {R"("x")", R"("string")", R"("x")"},
          {R"(["x",1])", R"(["tuple",["dynamic","number"]])", R"([{"value":"x","type":"string"},1])"},
      }) {
    INFO(r.value);
    Type declared = type_of(r.declared);
    Value v = *parse_json(r.value);
    CHECK(to_json_as(v, declared) == r.out);
    Result<Value> back = parse_json_as(to_json_as(v, declared), declared);
    REQUIRE(back.ok());
    CHECK(back->raw_equal(v));
  }
  // Shapes that do not fit are written whole and do not crash.
  CHECK(to_json_as(*parse_json("[1]"), Type::map(Type::dynamic())) == "[1]");
  CHECK(to_json_as(*parse_json(R"({"a":1})"), type_of(R"(["object",{"a":"number","b":"dynamic"}])")) ==
        R"({"a":1})");
  Value list = Value::list(Type::string(), {Value::string("x")});
  CHECK(to_json_as(list, Type::list(Type::dynamic())) == R"([{"value":"x","type":"string"}])");
}

TEST_CASE("what JSON cannot hold is written as null") {
  Value inf =
      Value::object({{Symbol("a"), Value::tuple({Value::number(1), Value::number(Number::infinity())})}});
  CHECK(to_json(inf) == R"({"a":[1,null]})");
  CHECK(to_json(Value::map(Type::string(), {{"k", Value::unknown(Type::string())}})) == R"({"k":null})");
}
