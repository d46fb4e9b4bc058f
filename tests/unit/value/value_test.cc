// Values: set order, equality with unknowns, refinements, hashing, marks, freeing deep values, sharing
// between threads.
#include "core/value/value.h"

#include <catch2/catch.hpp>
#include <thread>

#include "core/value/refine.h"

using namespace xplan;

namespace {

const Type S = Type::string(), N = Type::number(), B = Type::boolean(), D = Type::dynamic();

Value s(std::string_view t) {
  return Value::string(t);
}
Value n(int64_t i) {
  return Value::number(Number(i, false));
}
Value num(std::string_view t) {
  return Value::number(*Number::parse(t));
}
Value b(bool x) {
  return Value::boolean(x);
}
Value tup(std::vector<Value> v) {
  return Value::tuple(std::move(v));
}
Value obj(std::vector<std::pair<const char*, Value>> attrs) {
  std::vector<std::pair<Symbol, Value>> v;
  for (auto& [name, value] : attrs) v.emplace_back(Symbol(name), value);
  return Value::object(std::move(v));
}
Value list(Type t, std::vector<Value> v) {
  return Value::list(t, std::move(v));
}
Value set(Type t, std::vector<Value> v) {
  return Value::set(t, std::move(v));
}
Value map(Type t, std::vector<std::pair<std::string, Value>> v) {
  return Value::map(t, std::move(v));
}
Value unk(Type t) {
  return Value::unknown(t);
}
Value prefixed(std::string p) {
  Refinement r;
  r.not_null = true;
  r.prefix = std::move(p);
  return Value::unknown(S, r);
}
Value between(std::string_view lo, std::string_view hi, bool inclusive = true) {
  Refinement r;
  r.not_null = r.has_lower = r.has_upper = true;
  r.lower_inclusive = r.upper_inclusive = inclusive;
  r.lower = *Number::parse(lo);
  r.upper = *Number::parse(hi);
  return Value::unknown(N, r);
}
Value sized(Type t, int64_t lo, int64_t hi, bool not_null = true) {
  Refinement r;
  r.not_null = not_null;
  r.min_length = lo;
  r.max_length = hi;
  return Value::unknown(t, r);
}

std::string show(const Value& v) {
  std::string out;
  switch (v.kind()) {
    case Kind::Null:
      return "null";
    case Kind::Unknown:
      return "?";
    case Kind::Bool:
      return v.as_bool() ? "true" : "false";
    case Kind::Int:
    case Kind::Num:
      return v.as_number().text();
    case Kind::Str:
      return "'" + std::string(v.as_string()) + "'";
    case Kind::TypeVal:
      return v.as_type().constraint_text();
    default:
      break;
  }
  for_each_element(v, [&](const Value& k, const Value& e) {
    if (!out.empty()) out += ' ';
    if (v.kind() == Kind::Map || v.kind() == Kind::Obj) out += std::string(k.as_string()) + "=";
    out += show(e);
  });
  return (v.kind() == Kind::Map || v.kind() == Kind::Obj ? "{" + out + "}" : "[" + out + "]");
}

std::string tri(const Value& v) {
  return v.is_unknown() ? "?" : v.is_true() ? "true" : "false";
}

// One of each sort, for properties that must hold for all.
std::vector<Value> zoo() {
  Type os = Type::object({{Symbol("a"), S}});
  return {Value(),
          Value::null(S),
          Value::null(N),
          unk(D),
          unk(S),
          unk(N),
          prefixed("a-"),
          prefixed("b-"),
          between("1", "5"),
          between("1", "6"),
          b(true),
          b(false),
          n(0),
          n(1),
          num("0.5"),
          num("1e30"),
          num("Inf"),
          s(""),
          s("a"),
          s("b"),
          tup({}),
          tup({s("a")}),
          tup({s("a"), n(1)}),
          tup({unk(S)}),
          obj({}),
          obj({{"a", s("a")}}),
          obj({{"a", s("b")}}),
          obj({{"a", unk(S)}}),
          list(S, {}),
          list(N, {}),
          list(S, {s("a")}),
          list(S, {s("a"), s("b")}),
          set(S, {}),
          set(S, {s("a"), s("b")}),
          set(N, {n(1), n(2)}),
          set(os, {obj({{"a", s("a")}})}),
          map(S, {}),
          map(S, {{"k", s("a")}}),
          map(S, {{"l", s("a")}}),
          map(S, {{"k", s("b")}}),
          Value::type_value(S),
          Value::type_value(N),
          sized(Type::list(S), 1, 5),
          s("a").with_marks(kSensitive),
          s("a").with_marks(kEphemeral),
          tup({s("a").with_marks(kSensitive)})};
}

}  // namespace

TEST_CASE("a set iterates in the order of the reference") {
  struct Row {
    const char* situation;
    Type type;
    std::vector<Value> in;
    std::string out;
  };
  auto a = [](Value v) { return obj({{"a", std::move(v)}}); };
  auto at = [](Type t) { return Type::object({{Symbol("a"), t}}); };
  auto l = [](std::vector<Value> v) { return list(N, std::move(v)); };
  const Row rows[] = {
      {"objects go by text, so 10 is before 9",
       at(N),
       {a(n(10)), a(n(9)), a(n(100)), a(n(-1)), a(Value::null(N)), a(num("0.5"))},
       "[{a=-1} {a=0.5} {a=100} {a=10} {a=9} {a=null}]"},
      {"lists",
       Type::list(N),
       {l({n(10)}), l({n(9)}), l({n(1), n(2)}), l({}), l({n(1)})},
       "[[10] [1 2] [1] [9] []]"},
      {"strings by bytes",
       S,
       {s("b"), s("a"), s("B"), s("é"), s(""), s("10"), s("9")},
       "['' '10' '9' 'B' 'a' 'b' 'é']"},
      {"numbers by value",
       N,
       {n(3), n(10), n(-1), num("2.5"), num("1e30"), Value::null(N)},
       "[-1 2.5 3 10 1000000000000000000000000000000 null]"},
      {"bools", B, {b(true), b(false), Value::null(B)}, "[false true null]"},
      {"attributes in the order of their names",
       Type::object({{Symbol("n"), S}, {Symbol("v"), N}}),
       {obj({{"n", s("b")}, {"v", n(1)}}), obj({{"n", s("a")}, {"v", n(2)}}),
        obj({{"n", s("a")}, {"v", n(1)}})},
       "[{n='a' v=1} {n='a' v=2} {n='b' v=1}]"},
      {"strings inside objects go by their quoted form",
       at(S),
       {a(s("x y")), a(s("x\ty")), a(s("x\"y")), a(s("x\\y")), a(s("x")), a(s("é")), a(s("\u200b")),
        a(s("\u00a0")), a(s("~")), a(s("z"))},
       "[{a='\u00a0'} {a='\u200b'} {a='x y'} {a='x'} {a='x\"y'} {a='x\\y'} {a='x\ty'} {a='z'} {a='~'} "
       "{a='é'}]"},
      {"control characters",
       at(S),
       {a(s("\u0001")), a(s("\u007f")), a(s("A"))},
       "[{a='A'} {a='\u0001'} {a='\u007f'}]"},
      {"characters that are not printable",
       at(S),
       {a(s("😀")), a(s("\uffff")), a(s("가"))},
       "[{a='\uffff'} {a='가'} {a='😀'}]"},
      {"numbers inside objects go by ten digits",
       at(N),
       {a(num("12345678901")), a(num("12345678902")), a(num("1234567")), a(num("1e10")), a(num("1e-7")),
        a(num("0.00001"))},
       "[{a=12345678901} {a=12345678902} {a=1234567} {a=10000000000} {a=0.00001} {a=0.0000001}]"},
      {"ties keep their order",
       at(N),
       {a(num("0.33333333334")), a(num("0.33333333333")), a(num("0.3333333333"))},
       "[{a=0.33333333334} {a=0.33333333333} {a=0.3333333333}]"},
      {"maps",
       Type::map(S),
       {map(S, {{"b", s("1")}}), map(S, {{"a", s("2")}}), map(S, {}), map(S, {{"b", s("2")}, {"a", s("1")}})},
       "[{a='1' b='2'} {a='2'} {b='1'} {}]"},
      {"bools inside objects",
       at(B),
       {a(b(true)), a(b(false)), a(Value::null(B))},
       "[{a=false} {a=true} {a=null}]"},
      {"lists inside objects",
       at(Type::list(N)),
       {a(l({n(1), n(2)})), a(l({})), a(l({n(10)}))},
       "[{a=[10]} {a=[1 2]} {a=[]}]"},
      {"sets inside sets",
       Type::set(S),
       {set(S, {s("b"), s("a")}), set(S, {s("c")}), set(S, {})},
       "[['a' 'b'] ['c'] []]"},
      {"tuples with nulls",
       Type::tuple(std::vector<Type>{S}),
       {tup({Value::null(S)}), tup({s("~")}), tup({s("T")})},
       "[['T'] ['~'] [null]]"},
      {"negative zero is an element of its own", N, {n(0), num("-0"), n(0)}, "[-0 0]"},
      {"equal elements are one", at(N), {a(n(1)), a(num("1.0")), a(n(1))}, "[{a=1}]"},
      {"equal strings are one", S, {s("a"), s("b"), s("a")}, "['a' 'b']"},
      {"unknown elements stay, after the known", S, {s("b"), unk(S), s("a"), unk(S)}, "['a' 'b' ? ?]"},
      {"objects with unknowns",
       at(S),
       {a(s("b")), a(unk(S)), a(s("z")), a(Value::null(S))},
       "[{a='b'} {a='z'} {a=?} {a=null}]"},
      {"null objects are last", at(S), {Value::null(at(S)), a(s("z")), unk(at(S))}, "[{a='z'} ? null]"},
  };
  for (const Row& r : rows) {
    INFO(r.situation);
    Value v = set(r.type, r.in);
    CHECK(show(v) == r.out);
    CHECK(v.type() == Type::set(r.type));
    Value again = set(r.type, {v.elements().begin(), v.elements().end()});
    CHECK(again.raw_equal(v));
  }
}

TEST_CASE("many equal or unknown elements do not make a set slow") {
  Type t = Type::object({{Symbol("a"), S}});
  std::vector<Value> same(20000, obj({{"a", s("x")}})), unknown(20000, obj({{"a", unk(S)}}));
  CHECK(set(t, same).length() == 1);
  CHECK(set(t, unknown).length() == 20000);
}

TEST_CASE("equality is decided as far as the unknown allows") {
  struct Row {
    Value a, b;
    const char* answer;
  };
  Type ls = Type::list(S), ss = Type::set(S);
  Value u = refine_not_null(unk(S));
  const Row rows[] = {
      {s("a"), s("a"), "true"},
      {s("a"), s("b"), "false"},
      {n(1), s("1"), "false"},
      {n(1), num("1.0"), "true"},
      {num("0"), num("-0"), "true"},
      {Value::null(), Value::null(S), "true"},
      {Value::null(), s("a"), "false"},
      {Value::null(), unk(S), "?"},
      {Value::null(), u, "false"},
      {unk(D), s("a"), "?"},
      {unk(D), Value::null(), "?"},
      {u, u, "?"},
      {u, n(5), "false"},
      {unk(S), n(5), "false"},
      {prefixed("a-"), s("b"), "false"},
      {prefixed("a-"), s("a-b"), "?"},
      {prefixed("a-"), s(""), "false"},
      {prefixed("a-"), prefixed("b-"), "?"},
      {between("3", "7"), n(2), "false"},
      {between("3", "7"), n(3), "?"},
      {between("3", "7", false), n(3), "false"},
      {between("3", "7"), n(8), "false"},
      {sized(ls, 1, 3), list(S, {}), "false"},
      {sized(ls, 1, 3), list(S, {s("a")}), "?"},
      {sized(ls, 1, 3), list(S, {s("a"), s("a"), s("a"), s("a")}), "false"},
      {sized(ss, 3, 5), set(S, {s("a"), unk(S)}), "false"},
      {tup({u}), tup({s("a")}), "?"},
      {tup({u, n(1)}), tup({s("a"), n(2)}), "?"},
      {tup({n(1), u}), tup({n(2), s("a")}), "false"},
      {tup({tup({u})}), tup({tup({s("a")})}), "?"},
      {tup({obj({{"a", prefixed("x-")}})}), tup({obj({{"a", s("b")}})}), "false"},
      {obj({{"a", u}, {"b", n(1)}}), obj({{"a", s("x")}, {"b", n(2)}}), "false"},
      {obj({{"a", u}, {"b", n(1)}}), obj({{"a", s("x")}, {"b", n(1)}}), "?"},
      {obj({{"a", u}}), obj({{"a", n(5)}}), "false"},
      {obj({{"a", u}}), obj({{"a", Value::null()}}), "false"},
      {tup({Value::null()}), tup({Value::null()}), "true"},
      {tup({Value::null()}), tup({s("a")}), "false"},
      {tup({u, Value::null()}), tup({s("a"), s("b")}), "false"},
      {tup({Value::null(), u}), tup({Value::null(), s("a")}), "?"},
      {tup({unk(D)}), tup({s("x")}), "?"},
      {tup({unk(D)}), tup({s("x"), s("y")}), "false"},
      {tup({unk(D)}), s("x"), "false"},
      {obj({{"a", unk(D)}}), obj({{"b", n(1)}}), "false"},
      {list(S, {u, s("c")}), list(S, {s("a"), s("b")}), "?"},
      {list(S, {s("c"), u}), list(S, {s("a"), s("b")}), "false"},
      {list(S, {u}), list(S, {}), "false"},
      {list(S, {u}), list(S, {s("a"), s("b")}), "false"},
      {map(S, {{"a", u}}), map(S, {{"b", s("x")}}), "false"},
      {map(S, {{"a", s("1")}, {"b", u}}), map(S, {{"a", s("2")}, {"b", s("x")}}), "false"},
      {set(S, {u, s("a")}), set(S, {s("a"), s("b")}), "?"},
      {set(S, {u, s("a")}), set(S, {s("a")}), "?"},
      {set(S, {s("b"), s("a")}), set(S, {s("a"), s("b")}), "true"},
      {set(obj({{"a", s("")}}).type(), {obj({{"a", u}})}),
       set(obj({{"a", s("")}}).type(), {obj({{"a", s("a")}})}), "false"},
      {tup({n(1)}), list(N, {n(1)}), "false"},
      {tup({}), tup({}), "true"},
      {obj({}), map(S, {}), "false"},
  };
  for (const Row& r : rows) {
    INFO(show(r.a) << " == " << show(r.b));
    CHECK(tri(equals(r.a, r.b)) == r.answer);
    CHECK(tri(equals(r.b, r.a)) == r.answer);
    CHECK(equals(r.a, r.b).is_definitely_not_null());
  }
}

TEST_CASE("equality carries the marks that it looked at") {
  Value secret = s("x").with_marks(kSensitive);
  CHECK(equals(secret, s("x")).marks() == kSensitive);
  CHECK(equals(secret, s("y").with_marks(kEphemeral)).marks() == (kSensitive | kEphemeral));
  CHECK(equals(secret, Value::null()).marks() == kSensitive);
  CHECK(equals(tup({secret}), Value::null()).marks() == 0);
  CHECK(equals(tup({secret}), tup({})).marks() == kSensitive);
  CHECK(equals(tup({secret}), tup({s("x")})).is_true());
}

TEST_CASE("an unknown that can only be one value is that value") {
  CHECK(show(between("5", "5")) == "5");
  CHECK(show(between("5", "5", false)) == "?");
  CHECK(show(between("5", "6")) == "?");
  CHECK(show(sized(Type::list(S), 0, 0)) == "[]");
  CHECK(show(sized(Type::set(S), 0, 0)) == "[]");
  CHECK(show(sized(Type::map(S), 0, 0)) == "{}");
  CHECK(show(sized(Type::list(S), 0, 0, false)) == "?");
  CHECK(show(sized(Type::list(S), 3, 3)) == "[? ? ?]");
  CHECK(show(sized(Type::set(S), 1, 1)) == "[?]");
  CHECK(show(sized(Type::set(S), 2, 2)) == "?");
  CHECK(show(sized(Type::map(S), 1, 1)) == "?");
  CHECK(sized(Type::list(S), int64_t{1} << 40, int64_t{1} << 40).is_unknown());
}

TEST_CASE("refinements that say nothing about the type are dropped") {
  Refinement r;
  r.prefix = "a";
  r.min_length = 2;
  r.has_lower = true;
  CHECK(Value::unknown(B, r).refinement().trivial());
  CHECK(Value::unknown(S, r).refinement().min_length == 0);
  CHECK(Value::unknown(S, r).refinement().prefix == "a");
  CHECK(Value::unknown(N, r).refinement().prefix.empty());
  r.not_null = true;
  CHECK(Value::unknown(D, r).refinement().trivial());
  CHECK(Value::unknown(Type::object({}), r).is_definitely_not_null());
}

TEST_CASE("refinements add up") {
  Value v = refine(refine_not_null(unk(N)), between("1", "9").refinement());
  v = refine(v, between("3", "12", false).refinement());
  CHECK(v.refinement().lower == Number(3));
  CHECK_FALSE(v.refinement().lower_inclusive);
  CHECK(v.refinement().upper == Number(9));
  CHECK(v.refinement().upper_inclusive);
  CHECK(refine(prefixed("ab"), prefixed("abc").refinement()).refinement().prefix == "abc");
  CHECK(refine(unk(S).with_marks(kSensitive), prefixed("abc").refinement()).marks() == kSensitive);
  CHECK(refine_not_null(Value::null(S)).is_null());
  CHECK(refine_not_null(unk(D)).raw_equal(unk(D)));
  CHECK(range_of(set(S, {s("a"), unk(S)})).min_length == 1);
  CHECK(range_of(set(S, {s("a"), unk(S)})).max_length == 2);
  CHECK(range_of(n(4)).lower == Number(4));
}

TEST_CASE("a prefix is trusted up to where the rest could change it") {
  struct Row {
    const char *in, *out;
  };
  const Row rows[] = {{"", ""},     {"a", ""},       {"ab", "a"},    {"a-", "a-"},
                      {"12", "1"},  {"ab ", "ab "},  {"x\n", "x"},   {"x=", "x"},
                      {"é-", "é-"}, {"é", ""},       {"日本", "日"}, {"a/b/", "a/b/"},
                      {"q", ""},    {"e\u0301", ""}, {"🇩🇪", ""},     {"{\"a\":", "{\"a\":"}};
  for (const Row& r : rows) {
    INFO(r.in);
    CHECK(safe_prefix(r.in) == r.out);
  }
}

TEST_CASE("raw equality is an equivalence, and equal values hash alike") {
  std::vector<Value> a = zoo(), c = zoo();
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < c.size(); ++j) {
      INFO(i << ' ' << j << ' ' << show(a[i]) << ' ' << show(c[j]));
      CHECK(a[i].raw_equal(c[j]) == (i == j));
      if (i == j) CHECK(a[i].hash() == c[j].hash());
    }
  CHECK(num("-0").raw_equal(n(0)));
  CHECK(num("-0").hash() == n(0).hash());
  CHECK(Value::number(5).raw_equal(num("5")));
}

TEST_CASE("copies, moves and immortal copies are the same value") {
  for (const Value& v : zoo()) {
    INFO(show(v));
    Value copy = v, moved = std::move(copy), assigned;
    assigned = moved;
    assigned = *&assigned;
    CHECK(assigned.raw_equal(v));
    CHECK(copy.is_null());
    Value forever = v.immortal();
    CHECK(forever.raw_equal(v));
    CHECK_FALSE(forever.facts() & Value::kCounted);
    for (const Value& e : forever.elements()) CHECK_FALSE(e.facts() & Value::kCounted);
    Value of_forever = forever;
    CHECK(of_forever.raw_equal(v));
    CHECK(Value::tuple({forever}).elements()[0].raw_equal(v));
  }
  Value big = num("0.1").immortal();
  Number shared = big.as_number();
  CHECK(Value::number(shared + Number(1)).as_number().text() == "1.1");
  CHECK(Value::number(shared).raw_equal(big));
}

TEST_CASE("deep facts are known without looking") {
  CHECK(obj({{"a", tup({s("x")})}}).is_wholly_known());
  CHECK_FALSE(obj({{"a", tup({unk(S)})}}).is_wholly_known());
  Value secret = obj({{"a", tup({s("x").with_marks(kSensitive)})}, {"b", n(1).with_marks(kEphemeral)}});
  CHECK(secret.marks() == 0);
  CHECK(secret.contains_marks());
  CHECK(secret.deep_marks() == (kSensitive | kEphemeral));
  Value open = secret.unmark_deep();
  CHECK_FALSE(open.contains_marks());
  CHECK(open.raw_equal(obj({{"a", tup({s("x")})}, {"b", n(1)}})));
  CHECK(secret.with_marks(kSensitive).without_own_marks().raw_equal(secret));
  Value marked_set = set(S, {s("x").with_marks(kSensitive), s("y")});
  CHECK(marked_set.marks() == kSensitive);
  CHECK_FALSE(marked_set.elements()[0].contains_marks());
  Value with_null = list(S, {Value::null(S)});
  CHECK(with_null.is_wholly_known());
}

TEST_CASE("maps and objects keep their members by name") {
  Value m = map(N, {{"b", n(1)}, {"a", n(2)}, {"b", n(3)}});
  CHECK(show(m) == "{a=2 b=3}");
  CHECK(show(*m.find_key("b")) == "3");
  CHECK(m.find_key("c") == nullptr);
  CHECK(m.find_key("") == nullptr);
  CHECK(map(N, {}).find_key("a") == nullptr);
  Value o = obj({{"z", s("1")}, {"y", n(2)}});
  CHECK(o.type().constraint_text() == "object({y=number, z=string})");
  CHECK(o.attr("z").as_string() == "1");
  CHECK(show(o.attr(Symbol("y"))) == "2");
  CHECK(o.find_attr("x") == nullptr);
  CHECK(s("a").find_attr("x") == nullptr);
  CHECK(show(Value::object(o.type(), {n(5), s("6")})) == "{y=5 z='6'}");
  CHECK(map(S, {{"e\u0301", s("a")}}).find_key("\u00e9") != nullptr);
  CHECK(s("e\u0301").raw_equal(s("\u00e9")));
}

TEST_CASE("a chain of a million nested values is freed without a million frames") {
  // Built by hand from a type that stays flat, as the type of such a chain would be a million levels as well.
  Value v = s("end");
  Type t = Type::list(S);
  for (int i = 0; i < 1000000; ++i) {
    std::vector<Value> one;
    one.push_back(std::move(v));
    v = Value::list(S, std::move(one));
  }
  CHECK(v.type() == t);
  Value other = v;
  v = Value();
  other = Value();
}

TEST_CASE("threads may copy and drop the same values") {
  Value shared = obj({{"a", s("text")}, {"b", tup({num("0.1"), prefixed("x-")})}});
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([shared] {
      for (int i = 0; i < 20000; ++i) {
        Value copy = shared, inner = copy.attr("b");
        Number number = inner.elements()[0].as_number();
        std::vector<Value> more(3, inner.elements()[1]);
        if (number.sign() != 1 || more[2].is_known()) std::abort();
      }
    });
  for (auto& t : threads) t.join();
  CHECK(shared.attr("a").as_string() == "text");
}
