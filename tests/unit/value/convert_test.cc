// Conversion of values: tables for every pair of kinds, unknowns, marks, optional attributes and defaults.
#include "core/value/convert.h"

#include <catch2/catch.hpp>

#include "core/value/json.h"
#include "tests/support/values.h"

using namespace xplan;
using namespace xplan::test;

namespace {

// A value as "json type": what comes out, and as what.
std::string show(const Value& v) {
  return to_json(v) + " " + v.type().json();
}
std::string converted(const Value& v, Type to) {
  ConversionError e;
  std::optional<Value> r = convert(v, to, &e);
  return r ? show(*r) : "error: " + e.text();
}

Refinement length(int64_t min, int64_t max, bool not_null = true) {
  Refinement r;
  r.not_null = not_null;
  r.min_length = min;
  r.max_length = max;
  return r;
}

}  // namespace

TEST_CASE("values are converted to other types, or the place and the reason are told") {
  struct Row {
    const char* in;
    const char* type;
    const char* out;
  };
  for (const Row& r : std::initializer_list<Row>{
           // primitives
           {"1.50", R"("string")", R"("1.5" "string")"},
           {"1e3", R"("string")", R"("1000" "string")"},
           {"true", R"("string")", R"("true" "string")"},
           {R"("12.5")", R"("number")", R"(12.5 "number")"},
           {R"("+5")", R"("number")", R"(5 "number")"},
           {R"("0x10")", R"("number")", "error: a number is required, but this string is not one"},
           {R"(" 5")", R"("number")", "error: a number is required, but this string is not one"},
           {R"("true")", R"("bool")", R"(true "bool")"},
           {R"("1")", R"("bool")", R"(true "bool")"},
           {R"("0")", R"("bool")", R"(false "bool")"},
           {R"("TRUE")", R"("bool")", "error: a bool is required, in lower case: true"},
           {R"("yes")", R"("bool")", "error: a bool is required: true or false"},
           {"1", R"("bool")", "error: a bool is required, not a number"},
           {"true", R"("number")", "error: a number is required, not a bool"},
           {"[1]", R"("string")", "error: a string is required, not a tuple"},
           {"null", R"("string")", R"(null "string")"},
           {"1", R"("dynamic")", R"(1 "number")"},
           // tuples
           {"[1,\"a\",true]", R"(["list","string"])", R"(["1","a","true"] ["list","string"])"},
           {"[1,\"a\",true]", R"(["list","dynamic"])", R"(["1","a","true"] ["list","string"])"},
           {"[1,true]", R"(["list","dynamic"])", "error: the elements have no common type"},
           {"[3,1,3]", R"(["set","number"])", R"([1,3] ["set","number"])"},
           {"[1,\"1\"]", R"(["set","dynamic"])", R"(["1"] ["set","string"])"},
           {"[]", R"(["list","dynamic"])", R"([] ["list","dynamic"])"},
           {"[]", R"(["list",["map","string"]])", R"([] ["list",["map","string"]])"},
           {"[]", R"(["set","string"])", R"([] ["set","string"])"},
           {"[1,\"x\"]", R"(["list","number"])",
            "error: [1]: a number is required, but this string is not one"},
           {"[1,[2]]", R"(["list","number"])", "error: [1]: a number is required, not a tuple"},
           {"[null,1]", R"(["list","dynamic"])", R"([null,1] ["list","number"])"},
           {"[null,null]", R"(["list","dynamic"])", R"([null,null] ["list","dynamic"])"},
           {R"([null,{"a":1}])", R"(["list","dynamic"])", "error: the elements have no common type"},
           {R"([{"a":1},{"a":"x"}])", R"(["list","dynamic"])",
            R"([{"a":"1"},{"a":"x"}] ["list",["object",{"a":"string"}]])"},
           {R"([{"a":1},{"b":"x"}])", R"(["list","dynamic"])",
            R"([{"a":"1"},{"b":"x"}] ["list",["map","string"]])"},
           {"[[],[\"a\"]]", R"(["list","dynamic"])", R"([[],["a"]] ["list",["list","string"]])"},
           {"[[],[]]", R"(["list","dynamic"])", R"([[],[]] ["list",["tuple",[]]])"},
           {"[[1],[\"a\"]]", R"(["set","dynamic"])", R"([["1"],["a"]] ["set",["tuple",["string"]]])"},
           {"[[1],[\"a\"]]", R"(["list",["list","dynamic"]])", R"([["1"],["a"]] ["list",["list","string"]])"},
           {"[[1],[\"a\"]]", R"(["set",["list","dynamic"]])",
            "error: the elements of this sequence have no common type, so they cannot become a set"},
           {"[1,\"2\"]", R"(["tuple",["string","number"]])", R"(["1",2] ["tuple",["string","number"]])"},
           {"[1]", R"(["tuple",["string","number"]])",
            "error: a tuple of 2 elements is required, but this one has 1"},
           {"[1]", R"(["map","string"])", "error: a map of strings is required, not a tuple"},
           // objects
           {R"({"a":1,"b":"x"})", R"(["map","dynamic"])", R"({"a":"1","b":"x"} ["map","string"])"},
           {R"({"a":1,"b":"x"})", R"(["map","string"])", R"({"a":"1","b":"x"} ["map","string"])"},
           {R"({"a":1,"b":"x"})", R"(["map","number"])",
            "error: [\"b\"]: a number is required, but this string is not one"},
           {"{}", R"(["map","dynamic"])", R"({} ["map","dynamic"])"},
           {R"({"a":null,"b":"x"})", R"(["map","dynamic"])", R"({"a":null,"b":"x"} ["map","string"])"},
           {R"({"a":[1],"b":["x","y"]})", R"(["map","dynamic"])",
            R"({"a":["1"],"b":["x","y"]} ["map",["list","string"]])"},
           {R"({"a":{"x":1},"b":{"y":[]}})", R"(["map","dynamic"])", "error: the values have no common type"},
           {R"({"a":1,"b":2})", R"(["object",{"a":"string"}])", R"({"a":"1"} ["object",{"a":"string"}])"},
           {R"({"a":1})", R"(["object",{"a":"string","b":"bool"}])", "error: attribute \"b\" is required"},
           {R"({"z":1})", R"(["object",{"a":"string","b":"bool"}])",
            "error: attributes \"a\", \"b\" are required"},
           {R"({"a":{"b":[1]}})", R"(["object",{"a":["object",{"b":["list","bool"]}]}])",
            "error: .a.b[0]: a bool is required, not a number"},
           {R"({"a":[1]})", R"(["object",{"a":"dynamic"}])",
            R"({"a":[1]} ["object",{"a":["tuple",["number"]]}])"},
           {R"({"a":1})", R"(["list","string"])", "error: a list of strings is required, not an object"},
       }) {
    INFO(r.in << " to " << r.type);
    CHECK(converted(natural(r.in), type_of(r.type)) == r.out);
  }
}

TEST_CASE("collections are converted to other collections and to objects") {
  struct Row {
    const char* in;
    const char* from;
    const char* type;
    const char* out;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"[\"b\",\"a\",\"b\"]", R"(["list","string"])", R"(["set","string"])",
            R"(["a","b"] ["set","string"])"},
           {"[\"b\",\"a\"]", R"(["set","string"])", R"(["list","string"])", R"(["a","b"] ["list","string"])"},
           {"[2,1]", R"(["list","number"])", R"(["list","string"])", R"(["2","1"] ["list","string"])"},
           {"[2,1]", R"(["list","number"])", R"(["set","dynamic"])", R"([1,2] ["set","number"])"},
           {"[]", R"(["list","number"])", R"(["set","dynamic"])", R"([] ["set","number"])"},
           {"[]", R"(["list","number"])", R"(["list",["list","string"]])",
            "error: elements: a list of strings is required, not a number"},
           {R"({"a":1})", R"(["map","number"])", R"(["map","string"])", R"({"a":"1"} ["map","string"])"},
           {"{}", R"(["map","number"])", R"(["map","dynamic"])", R"({} ["map","number"])"},
           {R"({"a":1,"c":2})", R"(["map","number"])", R"(["object",{"a":"string"}])",
            R"({"a":"1"} ["object",{"a":"string"}])"},
           {R"({"a":1})", R"(["map","number"])", R"(["object",{"b":"string"}])",
            "error: element \"b\" is required"},
           {R"({"a":1})", R"(["map","number"])", R"(["object",{"a":["list","string"]}])",
            "error: attribute \"a\": a list of strings is required, not a number"},
           {"[1]", R"(["list","number"])", R"(["tuple",["number"]])",
            "error: a tuple is required, not a list of numbers"},
           {"null", R"(["list","number"])", R"(["set","string"])", R"(null ["set","string"])"},
           {"null", R"(["list","number"])", R"(["set","dynamic"])", R"(null ["set","number"])"},
           {"null", R"(["list","number"])", R"(["map","string"])",
            "error: a map of strings is required, not a list of numbers"},
           {"[\"x\"]", R"(["set","string"])", R"(["set","number"])",
            "error: [\"x\"]: a number is required, but this string is not one"},
       }) {
    INFO(r.in << " as " << r.from << " to " << r.type);
    Result<Value> v = parse_json_as(r.in, type_of(r.from));
    REQUIRE(v.ok());
    CHECK(converted(*v, type_of(r.type)) == r.out);
  }
}

TEST_CASE("a value that already fits is given back itself") {
  Value v = natural(R"(["a","b"])");
  std::optional<Value> r = convert(v, v.type());
  REQUIRE(r);
  CHECK(r->cell() == v.cell());
  CHECK(convert(v, Type::dynamic())->cell() == v.cell());
}

TEST_CASE("unknown values stay unknown and keep what still holds") {
  Refinement not_null;
  not_null.not_null = true;
  Refinement prefix = not_null;
  prefix.prefix = "i-";
  Type strings = Type::list(Type::string()),
       two = Type::tuple(std::vector<Type>{Type::number(), Type::string()});
  struct Row {
    Value in;
    Type to;
    Value out;
  };
  for (const Row& r : std::initializer_list<Row>{
           {Value::unknown(), Type::string(), Value::unknown(Type::string())},
           {Value::unknown(Type::number()), Type::dynamic(), Value::unknown(Type::number())},
           {Value::unknown(Type::number(), not_null), Type::string(),
            Value::unknown(Type::string(), not_null)},
           {Value::unknown(Type::string(), prefix), Type::number(), Value::unknown(Type::number(), not_null)},
           {Value::unknown(strings, length(2, 5)), Type::set(Type::string()),
            Value::unknown(Type::set(Type::string()), length(1, 5))},
           {Value::unknown(strings, length(2, 5)), Type::list(Type::number()),
            Value::unknown(Type::list(Type::number()), length(2, 5))},
           {Value::unknown(strings), Type::set(Type::dynamic()), Value::unknown(Type::set(Type::string()))},
           {Value::unknown(two, not_null), Type::set(Type::string()),
            Value::unknown(Type::set(Type::string()), length(1, 2))},
           {Value::unknown(two), Type::list(Type::dynamic()), Value::unknown(strings, length(2, 2, false))},
       }) {
    std::optional<Value> v = convert(r.in, r.to);
    REQUIRE(v);
    INFO(v->type().json() << " expected " << r.out.type().json());
    CHECK(v->raw_equal(r.out));
  }
  CHECK_FALSE(convert(Value::unknown(Type::number()), strings));
  CHECK_FALSE(convert(Value::unknown(Type::boolean()), Type::number()));

  // Two elements of a set may turn out equal, so not even the length of the list is known.
  Value set = Value::set(Type::string(), {Value::string("a"), Value::unknown(Type::string())});
  CHECK(convert(set, strings)->raw_equal(Value::unknown(strings)));
  Value one = Value::set(Type::string(), {Value::unknown(Type::string())});
  CHECK(convert(one, strings)->raw_equal(Value::list(Type::string(), {Value::unknown(Type::string())})));
}

TEST_CASE("marks stay where they are, and a set takes those of its elements") {
  Value secret = Value::number(7).with_marks(kSensitive);
  Value list = Value::tuple({Value::string("x"), secret}).with_marks(kEphemeral);
  std::optional<Value> r = convert(list, Type::list(Type::string()));
  REQUIRE(r);
  CHECK(r->marks() == kEphemeral);
  CHECK(r->elements()[0].marks() == 0);
  CHECK(r->elements()[1].marks() == kSensitive);
  CHECK(r->elements()[1].as_string() == "7");
  std::optional<Value> set = convert(list, Type::set(Type::string()));
  REQUIRE(set);
  CHECK(set->marks() == (kEphemeral | kSensitive));
  CHECK_FALSE(set->elements()[0].contains_marks());
  CHECK(convert(Value::null().with_marks(kSensitive), Type::string())->marks() == kSensitive);
  CHECK(convert(Value::unknown().with_marks(kSensitive), Type::string())->marks() == kSensitive);
}

namespace {

TypeConstraint plain(Type t) {
  return {t, {}, {}, {}};
}
struct Attr {
  const char* name;
  TypeConstraint constraint;
  bool optional = false;
  Value fallback = Value::null();
};
// Attributes in the order of their names.
TypeConstraint object_of(std::vector<Attr> attrs) {
  TypeConstraint c;
  std::vector<std::pair<Symbol, Type>> types;
  for (Attr& a : attrs) {
    types.emplace_back(Symbol(a.name), a.constraint.type);
    c.children.push_back(a.constraint);
    c.optional.push_back(a.optional);
    c.defaults.push_back(a.fallback);
  }
  c.type = Type::object(types);
  return c;
}
TypeConstraint collection_of(Type (*make)(Type), TypeConstraint element) {
  return {make(element.type), {element}, {}, {}};
}

}  // namespace

TEST_CASE("optional attributes are filled in, with defaults of defaults") {
  TypeConstraint n =
      object_of({{"x", plain(Type::number()), true, Value::number(5)}, {"y", plain(Type::string()), true}});
  TypeConstraint item = object_of(
      {{"k", plain(Type::string()), true, Value::string("kk")}, {"z", plain(Type::dynamic()), true}});
  TypeConstraint flag = object_of({{"q", plain(Type::boolean()), true, Value::boolean(true)}});
  TypeConstraint all = object_of({
      {"a", plain(Type::string()), true, Value::string("da")},
      {"l", collection_of(Type::list, item), true, natural(R"([{},{"k":null}])")},
      {"m", collection_of(Type::map, flag), true},
      {"n", n, true, natural("{}")},
      {"r", plain(Type::number())},
  });
  struct Row {
    const char* in;
    const char* out;
  };
  for (
      const Row& r : std::initializer_list<Row>{
          {R"({"r":1})",
           R"({"a":"da","l":[{"k":"kk","z":null},{"k":"kk","z":null}],"m":null,"n":{"x":5,"y":null},"r":1})"},
          {R"({"r":"2","a":null,"n":null,"extra":true})",
           R"({"a":"da","l":[{"k":"kk","z":null},{"k":"kk","z":null}],"m":null,"n":{"x":5,"y":null},"r":2})"},
          {R"({"r":1,"a":7,"l":[{"k":"1"},{}],"m":{"e":{},"f":null},"n":{"x":null,"y":3}})",
           R"({"a":"7","l":[{"k":"1","z":null},{"k":"kk","z":null}],"m":{"e":{"q":true},"f":null},"n":{"x":5,"y":"3"},"r":1})"},
          {R"({"r":null})",
           R"({"a":"da","l":[{"k":"kk","z":null},{"k":"kk","z":null}],"m":null,"n":{"x":5,"y":null},"r":null})"},
          {R"({"r":1,"l":[]})", R"({"a":"da","l":[],"m":null,"n":{"x":5,"y":null},"r":1})"},
          {"null", "null"},
          {"{}", "error: attribute \"r\" is required"},
          {R"({"r":1,"m":{"e":{"q":"x"}}})", "error: .m[\"e\"].q: a bool is required: true or false"},
          {R"({"r":1,"n":[]})", "error: .n: an object is required, not a tuple"},
      }) {
    INFO(r.in);
    ConversionError e;
    std::optional<Value> v = convert(natural(r.in), all, &e);
    CHECK((v ? to_json(*v) : "error: " + e.text()) == r.out);
  }
  std::optional<Value> full = convert(natural(R"({"r":1,"m":{}})"), all);
  REQUIRE(full);
  CHECK(full->type() == all.type);
  // What is already of the type still gets defaults for its nulls.
  Value nulls = *convert(natural(R"({"x":null,"y":null})"), n.type);
  CHECK(nulls.type() == n.type);
  CHECK(to_json(*convert(nulls, n)) == R"({"x":5,"y":null})");
  // A map is taken for an object.
  Result<Value> map = parse_json_as(R"({"y":"v"})", Type::map(Type::string()));
  CHECK(to_json(*convert(*map, n)) == R"({"x":5,"y":"v"})");
  // Nothing is filled into what is not known.
  CHECK(convert(Value::unknown(), n)->raw_equal(Value::unknown(n.type)));
  // Tuples and sets are gone through too.
  TypeConstraint t{
      Type::tuple(std::vector<Type>{Type::string(), flag.type}), {plain(Type::string()), flag}, {}, {}};
  CHECK(to_json(*convert(natural("[1,{}]"), t)) == R"(["1",{"q":true}])");
  CHECK(
      to_json(*convert(natural("[{},{\"q\":true},{\"q\":false}]"), collection_of(Type::set, flag))).size() ==
      std::string(R"([{"q":false},{"q":true}])").size());
  // Defaults keep marks of what is given.
  Value secret =
      Value::object({{Symbol("y"), Value::string("s").with_marks(kSensitive)}}).with_marks(kEphemeral);
  std::optional<Value> marked = convert(secret, n);
  CHECK(marked->marks() == kEphemeral);
  CHECK(marked->find_attr("y")->marks() == kSensitive);
  CHECK(marked->find_attr("x")->marks() == 0);
}

TEST_CASE("whether a conversion exists is judged by the types") {
  struct Row {
    const char* from;
    const char* to;
    bool safe;
    bool unsafe;
  };
  for (const Row& r : std::initializer_list<Row>{
           {R"("string")", R"("string")", true, true},
           {R"("number")", R"("string")", true, true},
           {R"("string")", R"("number")", false, true},
           {R"("string")", R"("bool")", false, true},
           {R"("number")", R"("bool")", false, false},
           {R"("dynamic")", R"("bool")", false, true},
           {R"("bool")", R"("dynamic")", true, true},
           {R"(["list","number"])", R"(["set","number"])", false, true},
           {R"(["set","number"])", R"(["list","string"])", true, true},
           {R"(["tuple",["number","string"]])", R"(["list","string"])", true, true},
           {R"(["tuple",["number","string"]])", R"(["list","number"])", false, true},
           {R"(["tuple",["number","bool"]])", R"(["list","dynamic"])", false, false},
           {R"(["tuple",[]])", R"(["list","number"])", true, true},
           {R"(["tuple",["number"]])", R"(["tuple",["string"]])", true, true},
           {R"(["tuple",["number"]])", R"(["tuple",[]])", false, false},
           {R"(["object",{"a":"number"}])", R"(["map","string"])", true, true},
           {R"(["map","string"])", R"(["object",{"a":"number"}])", false, true},
           {R"(["object",{"a":"number"}])", R"(["object",{}])", true, true},
           {R"(["object",{}])", R"(["object",{"a":"number"}])", false, false},
           {R"(["map","string"])", R"(["list","string"])", false, false},
           {R"("string")", R"(["list","string"])", false, false},
       }) {
    INFO(r.from << " to " << r.to);
    CHECK(conversion_exists(type_of(r.from), type_of(r.to), false) == r.safe);
    CHECK(conversion_exists(type_of(r.from), type_of(r.to), true) == r.unsafe);
  }
}

TEST_CASE("types are read from JSON") {
  for (const char* text : {R"("string")", R"("number")", R"("bool")", R"("dynamic")", R"(["list","string"])",
                           R"(["set",["map","number"]])", R"(["tuple",["string",["list","bool"]]])",
                           R"(["tuple",[]])", R"(["object",{"a":"string","b":["object",{}]}])"})
    CHECK(type_of(text).json() == text);
  CHECK(type_of(R"(["object",{"b":"string","a":"bool"},["b"]])").json() ==
        R"(["object",{"a":"bool","b":"string"}])");
  CHECK(type_of(R"(["object",{"a":"string","a":"bool"}])").json() == R"(["object",{"a":"bool"}])");
  for (const char* text :
       {"", "1", "\"text\"", "[]", R"(["list"])", R"(["list","string","x"])", R"(["tuple","string"])",
        R"(["object",[]])", R"(["object",{},"x"])", R"(["lst","string"])", R"([["list"],"string"])"})
    CHECK_FALSE(parse_type_json(text).ok());
}
