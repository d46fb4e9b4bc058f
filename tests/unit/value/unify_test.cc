// Unification of types, and values converted to the unified type.
#include <catch2/catch.hpp>

#include "core/value/convert.h"
#include "core/value/json.h"

using namespace xplan;

namespace {

std::string unified(const char* tuple_json, bool unsafe = true) {
  Result<Type> t = parse_type_json(tuple_json);
  if (!t.ok()) FAIL(tuple_json << ": " << t.error().message);
  Type out;
  return unify(t->elements(), out, unsafe) ? out.json() : "none";
}

}  // namespace

TEST_CASE("types are unified to what all of them convert to") {
  struct Row {
    const char* types;
    const char* out;
  };
  for (
      const Row& r : std::initializer_list<Row>{
          {R"([])", R"("dynamic")"},
          {R"(["number"])", R"("number")"},
          {R"(["number","string"])", R"("string")"},
          {R"(["bool","string","number"])", R"("string")"},
          {R"(["bool","number"])", "none"},
          {R"(["dynamic","number"])", R"("number")"},
          {R"(["dynamic","dynamic"])", R"("dynamic")"},
          {R"(["string",["list","string"]])", "none"},
          {R"(["string",["list","string"],"dynamic"])", R"("dynamic")"},
          {R"([["object",{"a":"number"}],["object",{"a":"string"}]])", R"(["object",{"a":"string"}])"},
          {R"([["object",{"a":"number"}],["object",{"b":"string"}]])", R"(["map","string"])"},
          {R"([["object",{"a":"number","b":"number"}],["object",{"a":"string","b":"bool"}]])", "none"},
          {R"([["object",{}],["object",{"a":"number"}]])", R"(["map","number"])"},
          {R"([["object",{"a":"number","b":["object",{}]}],["object",{"a":"number"}]])", "none"},
          {R"([["object",{"a":"number","b":["tuple",[]]}],["object",{"a":"number","b":["tuple",["string"]]}]])",
           R"(["object",{"a":"number","b":["list","string"]}])"},
          {R"([["object",{"a":"number"}],"dynamic"])", R"("dynamic")"},
          {R"([["object",{"a":"number"}],["object",{"a":"dynamic"}]])", R"(["object",{"a":"number"}])"},
          {R"([["object",{"a":["object",{}]}],["object",{"a":"dynamic"}]])", R"(["object",{"a":"dynamic"}])"},
          {R"([["tuple",["number"]],["tuple",["string"]]])", R"(["tuple",["string"]])"},
          {R"([["tuple",["number"]],["tuple",[]]])", R"(["list","number"])"},
          {R"([["tuple",["number","string"]],["tuple",["bool"]]])", R"(["list","string"])"},
          {R"([["tuple",["number"]],["object",{"a":"number"}]])", "none"},
          {R"([["list","number"],["list","string"]])", R"(["list","string"])"},
          {R"([["list","number"],"dynamic"])", R"("dynamic")"},
          {R"([["set","number"],["list","string"]])", R"(["list","string"])"},
          {R"([["list","number"],["set","string"]])", R"(["list","number"])"},
          {R"([["set","number"],["tuple",["string"]]])", R"(["set","number"])"},
          {R"([["list","number"],["tuple",["string"]]])", R"(["list","string"])"},
          {R"([["list","number"],["tuple",[]]])", R"(["list","number"])"},
          {R"([["list",["object",{"a":"number"}]],["tuple",[["object",{"a":"string"}]]]])",
           R"(["list",["object",{"a":"string"}]])"},
          {R"([["list",["object",{"a":"number"}]],["tuple",[["object",{"a":"string","b":"number"}]]]])",
           R"(["list",["map","string"]])"},
          {R"([["map","number"],["map","string"]])", R"(["map","string"])"},
          {R"([["map","number"],["object",{"b":"string"}]])", R"(["map","string"])"},
          {R"([["map","number"],["object",{}]])", R"(["map","number"])"},
          {R"([["map","number"],["list","number"]])", "none"},
      }) {
    INFO(r.types);
    std::string tuple = std::string(R"(["tuple",)") + r.types + "]";
    CHECK(unified(tuple.c_str()) == r.out);
  }
  CHECK(unified(R"(["tuple",[["list","number"],["set","string"]]])", false) == "none");
  CHECK(unified(R"(["tuple",[["set","number"],["list","string"]]])", false) == R"(["list","string"])");
}

TEST_CASE("values are converted to their unified type") {
  struct Row {
    const char* values;
    const char* out;
  };
  for (const Row& r : std::initializer_list<Row>{
           {R"([1,"a"])", R"(["1","a"] "string")"},
           {R"([{"a":1},{"b":"x"}])", R"([{"a":"1"},{"b":"x"}] ["map","string"])"},
           {R"([[1,2],["x"]])", R"([["1","2"],["x"]] ["list","string"])"},
           {R"([null,"x"])", R"([null,"x"] "string")"},
           {R"([1,true])", "error: the types have no common type"},
       }) {
    Result<Value> v = parse_json(r.values);
    REQUIRE(v.ok());
    std::vector<Value> values(v->elements().begin(), v->elements().end());
    Type out;
    ConversionError e;
    std::string got = unify_values(values, out, &e) ? to_json(Value::tuple(values)) + " " + out.json()
                                                    : "error: " + e.text();
    CHECK(got == r.out);
  }
  // A set wins over a tuple by its type, and then an element may not fit.
  std::vector<Value> values{Value::set(Type::number(), {Value::number(1)}),
                            Value::tuple({Value::string("a")})};
  Type out;
  ConversionError e;
  CHECK_FALSE(unify_values(values, out, &e));
  CHECK(e.text() == "[0]: a number is required, but this string is not one");
}

TEST_CASE("many different types are unified in reasonable time") {
  std::vector<Type> objects, mixed;
  for (int i = 0; i < 20000; ++i) {
    objects.push_back(
        Type::object({{Symbol("k" + std::to_string(i)), i % 2 ? Type::string() : Type::number()}}));
    mixed.push_back(objects.back());
  }
  mixed.push_back(Type::string());
  Type out;
  CHECK(unify(objects, out));
  CHECK(out == Type::map(Type::string()));
  CHECK_FALSE(unify(mixed, out));
}

TEST_CASE("the elements of a collection are settled on one type") {
  std::vector<Value> values{Value::null().with_marks(kSensitive), Value::number(1), Value::unknown()};
  Type element;
  REQUIRE(settle_elements(values, element));
  CHECK(element == Type::number());
  CHECK(values[0].raw_equal(Value::null(Type::number()).with_marks(kSensitive)));
  CHECK(values[2].raw_equal(Value::unknown(Type::number())));
  values.push_back(Value::string("x"));
  CHECK_FALSE(settle_elements(values, element));
  std::vector<Value> none;
  Type kept = Type::string();
  CHECK(settle_elements(none, kept));
  CHECK(kept == Type::string());
}
