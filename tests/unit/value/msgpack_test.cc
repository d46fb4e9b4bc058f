// MessagePack: known bytes, refinements of unknowns, hostile input, generated round trips.
#include "core/value/msgpack.h"

#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/value/convert.h"
#include "core/value/json.h"
#include "tests/support/values.h"

using namespace xplan;
using namespace xplan::test;

namespace {

std::string bytes(std::string_view hex_text) {
  std::string out;
  for (size_t i = 0; i + 1 < hex_text.size(); i += 2)
    out += static_cast<char>(hex_digit(hex_text[i]) << 4 | hex_digit(hex_text[i + 1]));
  return out;
}

}  // namespace

TEST_CASE("values have their known bytes and come back from them") {
  struct Row {
    const char* value;
    const char* declared;
    const char* bytes;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"null", R"("string")", "c0"},
           {"true", R"("bool")", "c3"},
           {"false", R"("bool")", "c2"},
           {"\"\"", R"("string")", "a0"},
           {"\"abc\"", R"("string")", "a3616263"},
           {"0", R"("number")", "00"},
           {"127", R"("number")", "7f"},
           {"128", R"("number")", "cc80"},
           {"256", R"("number")", "cd0100"},
           {"65536", R"("number")", "ce00010000"},
           {"4294967296", R"("number")", "cf0000000100000000"},
           {"-1", R"("number")", "ff"},
           {"-32", R"("number")", "e0"},
           {"-33", R"("number")", "d0df"},
           {"-129", R"("number")", "d1ff7f"},
           {"-32769", R"("number")", "d2ffff7fff"},
           {"-2147483649", R"("number")", "d3ffffffff7fffffff"},
           {"-9223372036854775808", R"("number")", "d38000000000000000"},
           {"1.5", R"("number")", "cb3ff8000000000000"},
           {"0.1", R"("number")", "a3302e31"},
           {"9223372036854775808", R"("number")", "b339323233333732303336383534373735383038"},
           {"[1,2]", R"(["list","number"])", "920102"},
           {"[2,1]", R"(["set","number"])", "920102"},
           {"[1,\"a\"]", R"(["tuple",["number","string"]])", "9201a161"},
           {R"({"b":1,"a":null})", R"(["map","number"])", "82a161c0a16201"},
           {R"({"b":1,"a":null})", R"(["object",{"a":"string","b":"number"}])", "82a161c0a16201"},
           {"{}", R"(["object",{}])", "80"},
           {"{\"value\":1,\"type\":\"number\"}", R"("dynamic")", "92c408226e756d6265722201"},
           {"{\"value\":null,\"type\":\"bool\"}", R"("dynamic")", "92c40622626f6f6c22c0"},
           {"null", R"("dynamic")", "c0"},
       }) {
    INFO(r.value << " as " << r.declared);
    Type t = type_of(r.declared);
    Result<Value> v = parse_json_as(r.value, t);
    REQUIRE(v.ok());
    CHECK(hex_encode(to_msgpack(*v, t)) == r.bytes);
    Result<Value> back = decode_msgpack(bytes(r.bytes), t);
    REQUIRE(back.ok());
    CHECK(back->raw_equal(*v));
    CHECK(decode_msgpack(bytes(r.bytes) + "rest", t).ok());
  }
  Value inf = Value::number(Number::infinity(true));
  CHECK(hex_encode(to_msgpack(inf, Type::number())) == "cbfff0000000000000");
  CHECK(decode_msgpack(bytes("cbfff0000000000000"), Type::number())->raw_equal(inf));
  const Type numbers = Type::set(Type::number());
  for (const char* zeros : {"9200cb8000000000000000", "9200ca80000000", "9200a22d30"}) {
    INFO(zeros);
    Result<Value> v = decode_msgpack(bytes(zeros), numbers);
    REQUIRE(v.ok());
    CHECK(hex_encode(to_msgpack(*v, numbers)) == "9100");
  }
}

TEST_CASE("lengths take the shortest header") {
  for (auto [n, head] : std::initializer_list<std::pair<size_t, const char*>>{{31, "bf"},
                                                                              {32, "d920"},
                                                                              {255, "d9ff"},
                                                                              {256, "da0100"},
                                                                              {65535, "daffff"},
                                                                              {65536, "db00010000"}}) {
    Value v = Value::string(std::string(n, 'x'));
    std::string out = to_msgpack(v, Type::string());
    CHECK(hex_encode(out).rfind(head, 0) == 0);
    CHECK(decode_msgpack(out, Type::string())->raw_equal(v));
  }
  for (auto [n, head] : std::initializer_list<std::pair<size_t, const char*>>{
           {15, "9f"}, {16, "dc0010"}, {65535, "dcffff"}, {65536, "dd00010000"}}) {
    Value v = Value::list(Type::boolean(), std::vector<Value>(n, Value::boolean(true)));
    std::string out = to_msgpack(v, v.type());
    CHECK(hex_encode(out).rfind(head, 0) == 0);
    CHECK(decode_msgpack(out, v.type())->raw_equal(v));
  }
}

TEST_CASE("unknown values carry what is known of them") {
  Refinement not_null, prefix, range, below, length;
  not_null.not_null = true;
  prefix.not_null = true, prefix.prefix = "i-";
  range.has_lower = range.has_upper = true, range.lower = Number(3), range.upper = Number(7);
  range.upper_inclusive = false;
  below.has_upper = true, below.upper = *Number::parse("0.1");
  length.min_length = 1, length.max_length = 300;
  struct Row {
    Type t;
    Refinement r;
    const char* bytes;
  };
  for (const Row& r : std::initializer_list<Row>{
           {Type::string(), {}, "d40000"},
           {Type::dynamic(), not_null, "d40000"},
           {Type::string(), not_null, "c7030c8101c2"},
           {Type::list(Type::string()), not_null, "c7030c8101c2"},
           {Type::string(), prefix, "c7070c8201c202a2692d"},
           {Type::number(), range, "c7090c82039203c3049207c2"},
           {Type::number(), below, "d70c810492a3302e31c3"},
           {Type::set(Type::string()), length, "c7070c82050106cd012c"},
       }) {
    Value v = Value::unknown(r.t, r.r);
    INFO(r.bytes);
    CHECK(hex_encode(to_msgpack(v, r.t)) == r.bytes);
    Result<Value> back = decode_msgpack(bytes(r.bytes), r.t);
    REQUIRE(back.ok());
    CHECK(back->raw_equal(v));
  }
  // Inside a position of any type the type of the unknown value is kept.
  Value typed = Value::unknown(Type::number());
  CHECK(hex_encode(to_msgpack(typed, Type::dynamic())) == "92c408226e756d62657222d40000");
  CHECK(decode_msgpack(to_msgpack(typed, Type::dynamic()), Type::dynamic())->raw_equal(typed));
  // Long prefixes are cut between characters; the rest of the facts stays.
  Refinement longer;
  longer.not_null = true;
  for (int i = 0; i < 200; ++i) longer.prefix += "é€";
  Result<Value> cut =
      decode_msgpack(to_msgpack(Value::unknown(Type::string(), longer), Type::string()), Type::string());
  REQUIRE(cut.ok());
  size_t n = cut->refinement().prefix.size();
  CHECK(n > 240);
  CHECK(n <= 256);
  CHECK(longer.prefix.compare(0, n, cut->refinement().prefix) == 0);
  // Others may write more, or write it otherwise.
  CHECK(decode_msgpack(bytes("d40000"), Type::dynamic())->raw_equal(Value::unknown()));
  CHECK(decode_msgpack(bytes("c70005"), Type::string())->raw_equal(Value::unknown(Type::string())));
  CHECK(decode_msgpack(bytes("c7030c8101c3"), Type::string())->raw_equal(Value::null(Type::string())));
  CHECK(decode_msgpack(bytes("d70c826392a1618001c2"), Type::string())
            ->raw_equal(Value::unknown(Type::string(), not_null)));
}

TEST_CASE("bytes that are not a value of the type are refused with the place") {
  struct Row {
    const char* bytes;
    const char* type;
    const char* error;
  };
  for (const Row& r : std::initializer_list<Row>{
           {"", R"("string")", "the data ends early"},
           {"01", R"("string")", "a string is required"},
           {"a361", R"("string")", "a string is required"},
           {"db", R"("string")", "a string is required"},
           {"dbffffffff61", R"("string")", "a string is required"},
           {"a161", R"("bool")", "a bool is required"},
           {"c3", R"("number")", "a number is required"},
           {"cd01", R"("number")", "a number is required"},
           {"a3302e78", R"("number")", "a number is required"},
           {"ad33343550373839303132333435", R"("number")", "a number is required"},
           {"cb7ff8000000000000", R"("number")", "not-a-number"},
           {"920103", R"(["list","string"])", "[0]: a string is required"},
           {"ddffffffff01", R"(["list","number"])", "a list is required"},
           {"dfffffffff01", R"(["map","number"])", "a map is required"},
           {"8101c0", R"(["map","number"])", "the keys of a map must be strings"},
           {"81a161c3", R"(["map","number"])", "[\"a\"]: a number is required"},
           {"9101", R"(["tuple",["number","number"]])", "a tuple of 2 elements is required"},
           {"80", R"(["object",{"a":"number"}])", "an object with 1 attributes is required"},
           {"81a162c0", R"(["object",{"a":"number"}])", "the attribute \"b\" is not expected here"},
           {"82a161c0a161c0", R"(["object",{"a":"number","b":"number"}])",
            "the attribute \"a\" occurs twice"},
           {"81a161c3", R"(["object",{"a":"number"}])", ".a: a number is required"},
           {"9101", R"("dynamic")", "a value of any type must be an array of its type and the value"},
           {"92c4037b7d5d01", R"("dynamic")", "the type of this value cannot be read"},
           {"92c408226e756d62657222c3", R"("dynamic")", "a number is required"},
           {"d505ffff", R"("string")", "the extension 5 is not known"},
           {"d4", R"("string")", "the data ends early"},
           {"c7ff0c", R"("string")", "the data ends early"},
           {"c804010c", R"("string")", "the data ends early"},
           {"d50c8101", R"("string")", "cannot be read"},
           {"d60c8102a161", R"("number")", "cannot be read"},
           {"d50c91c0", R"("number")", "they are not a map"},
           {"c7090c82039207c3049203c3", R"("number")", "contradict"},
           {"c7050c8205030602", R"(["list","string"])", "contradict"},
       }) {
    INFO(r.bytes << " as " << r.type);
    Result<Value> v = decode_msgpack(bytes(r.bytes), type_of(r.type));
    REQUIRE_FALSE(v.ok());
    CHECK_THAT(v.error().message, Catch::Contains(r.error));
  }
  // The size limit of refinements.
  std::string large = bytes("c804010c81020000");
  large.resize(5 + 0x401);
  CHECK_THAT(decode_msgpack(large, Type::string()).error().message, Catch::Contains("too large"));
  // Any type within any type, and deeper than sense.
  std::string deep;
  for (int i = 0; i < 9000; ++i) deep += bytes("92c4") + '\x09' + "\"dynamic\"";
  CHECK_THAT(decode_msgpack(deep + '\xc0', Type::dynamic()).error().message,
             Catch::Contains("deeper than 2100"));
  std::string skipped = bytes("c803ff0c8163") + std::string(0x3ff - 2, '\x91');
  CHECK_FALSE(decode_msgpack(skipped, Type::string()).ok());
  // Few bytes that claim many lists of many unknown elements.
  std::string many = bytes("dd0000c350");
  for (int i = 0; i < 50000; ++i) many += bytes("c70b0c8301c205cdffff06cdffff");
  Result<Value> v = decode_msgpack(many, Type::list(Type::list(Type::string())));
  REQUIRE(v.ok());
  size_t expanded = 0;
  for (const Value& e : v->elements()) expanded += e.length();
  CHECK(expanded <= size_t{1} << 20);
}

namespace {

// Values of every kind, with a declared type that leaves some positions open.
struct Generator {
  std::mt19937 rng;
  int pick(int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); }

  Type type(int depth) {
    int k = pick(depth > 0 ? 8 : 3);
    switch (k) {
      case 0:
        return Type::boolean();
      case 1:
        return Type::number();
      case 2:
        return Type::string();
      case 3:
        return Type::list(type(depth - 1));
      case 4:
        return Type::set(type(depth - 1));
      case 5:
        return Type::map(type(depth - 1));
      case 6: {
        std::vector<Type> t;
        for (int i = pick(4); i > 0; --i) t.push_back(type(depth - 1));
        return Type::tuple(t);
      }
      default: {
        std::vector<std::pair<Symbol, Type>> t;
        for (int i = pick(4); i > 0; --i) t.emplace_back(Symbol("a" + std::to_string(i)), type(depth - 1));
        return Type::object(std::move(t));
      }
    }
  }
  Type opened(Type t) {  // the declared type: dynamic here and there, but not inside collections
    if (pick(4) == 0) return Type::dynamic();
    if (t.is_tuple()) {
      std::vector<Type> e;
      for (Type x : t.elements()) e.push_back(opened(x));
      return Type::tuple(e);
    }
    if (t.is_object()) {
      std::vector<std::pair<Symbol, Type>> e;
      for (size_t i = 0; i < t.elements().size(); ++i)
        e.emplace_back(t.attr_names()[i], opened(t.elements()[i]));
      return Type::object(std::move(e));
    }
    return t;
  }
  std::string text() {
    static const char* const kParts[] = {"a", "é", "€", "😀", "<", "\n", "", "long long text ", "\\", "\""};
    std::string s;
    for (int i = pick(5); i > 0; --i) s += kParts[pick(10)];
    return s;
  }
  // What is null or unknown as a whole has no parts that could be of another type than declared.
  Value value(Type t, Type declared, bool unknowns) {
    if (declared.is_dynamic()) declared = t;
    if (pick(8) == 0) return Value::null(declared);
    if (unknowns && pick(8) == 0) {
      Refinement r;
      r.not_null = pick(2);
      if (t == Type::string()) r.prefix = "p" + text() + "-";
      if (t == Type::number()) r.has_lower = true, r.lower = Number(pick(100) - 50);
      if (t.is_collection()) r.min_length = pick(3), r.max_length = 3 + pick(500);
      return Value::unknown(declared, r);
    }
    auto some = [&](Type e) {
      std::vector<Value> v;
      for (int i = pick(4); i > 0; --i) v.push_back(value(e, e, unknowns));
      return v;
    };
    switch (t.kind()) {
      case TypeKind::Bool:
        return Value::boolean(pick(2));
      case TypeKind::Number: {
        static const char* const kNumbers[] = {"0",
                                               "-1",
                                               "127",
                                               "128",
                                               "-129",
                                               "65536",
                                               "1.5",
                                               "0.1",
                                               "1e40",
                                               "18446744073709551615",
                                               "-9223372036854775808",
                                               "12345678901234567890123.5"};
        return Value::number(*Number::parse(kNumbers[pick(12)]));
      }
      case TypeKind::String:
        return Value::string(text());
      case TypeKind::List:
        return Value::list(t.element(), some(t.element()));
      case TypeKind::Set:
        return Value::set(t.element(), some(t.element()));
      case TypeKind::Map: {
        std::vector<std::pair<std::string, Value>> m;
        for (Value& v : some(t.element())) m.emplace_back(text(), v);
        return Value::map(t.element(), std::move(m));
      }
      case TypeKind::Tuple: {
        std::vector<Value> v;
        for (size_t i = 0; i < t.elements().size(); ++i)
          v.push_back(value(t.elements()[i], declared.elements()[i], unknowns));
        return Value::tuple(std::move(v));
      }
      default: {
        std::vector<std::pair<Symbol, Value>> v;
        for (size_t i = 0; i < t.elements().size(); ++i)
          v.emplace_back(t.attr_names()[i], value(t.elements()[i], declared.elements()[i], unknowns));
        return Value::object(std::move(v));
      }
    }
  }
};

}  // namespace

TEST_CASE("by name, objects may be of another version of their type") {
  auto of = [](std::initializer_list<const char*> names) {
    std::vector<std::pair<Symbol, Type>> attributes;
    for (const char* name : names) attributes.emplace_back(Symbol(name), Type::string());
    return Type::object(attributes);
  };
  const Type ours = of({"a", "c"});
  auto read = [&](const std::string& bytes) { return decode_msgpack(bytes, ours, Attributes::ByName); };
  const std::string c =
      "\xa1"
      "c"
      "\xa1"
      "x";
  const Value wanted =
      Value::object({{Symbol("a"), Value::null(Type::string())}, {Symbol("c"), Value::string("x")}});
  struct Row {
    std::string bytes;
    bool good;
  };
  const Row rows[] = {{"\x81" + c, true},
                      {"\x82" + c +
                           "\xa1"
                           "d\xc0",
                       true},  // behind all others
                      {"\x83\xa1"
                       "b\xc0" +
                           c +
                           "\xa1"
                           "d\x90",
                       true},
                      {"\x82\xa1"
                       "b\x80" +
                           c,
                       true},
                      {"\x82\xa1"
                       "b\xa0" +
                           c,
                       true},
                      {"\x82\xa1"
                       "b\xa1"
                       "x" +
                           c,
                       false},  // it says something
                      {"\x82\xa1"
                       "b\xc2" +
                           c,
                       false},
                      {"\x82\xa1"
                       "b",
                       false},
                      {"\x82" + c + c, false}};
  for (const Row& row : rows) {
    INFO(&row - rows);
    const Result<Value> v = read(row.bytes);
    REQUIRE(v.ok() == row.good);
    if (row.good) CHECK(v->raw_equal(wanted));
    CHECK(!decode_msgpack(row.bytes, ours).ok());
  }
}

TEST_CASE("generated values survive MessagePack and JSON") {
  Generator g{std::mt19937(20240607)};
  for (int i = 0; i < 3000; ++i) {
    Type t = g.type(3), declared = g.opened(t);
    Value v = g.value(t, declared, true);
    std::string packed = to_msgpack(v, declared);
    INFO(i << ": " << t.json() << " declared " << declared.json() << ": " << hex_encode(packed));
    Result<Value> back = decode_msgpack(packed, declared);
    REQUIRE(back.ok());
    // Refined prefixes are rounded down only when they are long, so that all facts come back.
    REQUIRE(back->raw_equal(v));
    REQUIRE(to_msgpack(*back, declared) == packed);

    Value known = g.value(t, declared, false);
    std::string json = to_json_as(known, declared);
    INFO(json);
    Result<Value> read = parse_json_as(json, declared);
    REQUIRE(read.ok());
    REQUIRE(read->raw_equal(known));
    REQUIRE(convert(known, declared)->raw_equal(known));
  }
}

TEST_CASE("what can be read can be stored and read again, however deep") {
  std::string json = std::string(kJsonDepth, '[') + std::string(kJsonDepth, ']');
  Result<Value> v = parse_json(json);
  REQUIRE(v.ok());
  Result<Value> stored = parse_json_as(to_json_as(*v, Type::dynamic()), Type::dynamic());
  REQUIRE(stored.ok());
  CHECK(stored->raw_equal(*v));
  Result<Value> sent = decode_msgpack(to_msgpack(*v, Type::dynamic()), Type::dynamic());
  REQUIRE(sent.ok());
  CHECK(sent->raw_equal(*v));
  CHECK(convert(*v, Type::list(Type::dynamic())));
  CHECK_FALSE(convert(*v, Type::list(Type::string())));
  CHECK_FALSE(parse_json("[" + json + "]").ok());
}

TEST_CASE("a large integer that came as a double is sent as the same number") {
  for (double d : {1.4368470182595932e53, -1e300, 18446744073709551616.0, 1e22}) {
    const Value v = Value::number(Number::from_double(d));
    Result<Value> sent = decode_msgpack(to_msgpack(v, Type::number()), Type::number());
    REQUIRE(sent.ok());
    CHECK(sent->raw_equal(v));
  }
}

TEST_CASE("damaged bytes never do harm") {
  Generator g{std::mt19937(7)};
  for (int i = 0; i < 3000; ++i) {
    Type t = g.type(3), declared = g.opened(t);
    std::string packed = to_msgpack(g.value(t, declared, true), declared);
    for (int k = 0; k < 3 && !packed.empty(); ++k)
      packed[g.rng() % packed.size()] = static_cast<char>(g.rng());
    packed.resize(g.rng() % (packed.size() + 1));
    std::unique_ptr<char[]> exact(new char[packed.size() + 1]);
    std::copy(packed.begin(), packed.end(), exact.get());
    Result<Value> v = decode_msgpack({exact.get(), packed.size()}, declared);
    if (v.ok()) CHECK(decode_msgpack(to_msgpack(*v, declared), declared).ok());
  }
}
