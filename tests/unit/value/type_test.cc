// Types: their texts, identity, attributes, building from several threads.
#include "core/value/type.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace xplan;

namespace {

const Type S = Type::string(), N = Type::number(), B = Type::boolean(), D = Type::dynamic();

Type obj(std::initializer_list<std::pair<const char*, Type>> attrs) {
  std::vector<std::pair<Symbol, Type>> v;
  for (auto& [name, type] : attrs) v.emplace_back(Symbol(name), type);
  return Type::object(std::move(v));
}
Type tup(std::initializer_list<Type> types) {
  return Type::tuple(std::vector<Type>(types));
}

}  // namespace

TEST_CASE("a type has three texts") {
  struct Row {
    Type type;
    const char *json, *constraint, *friendly;
  };
  const Row rows[] = {
      {S, R"("string")", "string", "string"},
      {N, R"("number")", "number", "number"},
      {B, R"("bool")", "bool", "bool"},
      {D, R"("dynamic")", "any", "any type"},
      {Type::list(S), R"(["list","string"])", "list(string)", "list of string"},
      {Type::set(D), R"(["set","dynamic"])", "set(any)", "set"},
      {Type::map(Type::list(N)), R"(["map",["list","number"]])", "map(list(number))",
       "map of list of number"},
      {tup({}), R"(["tuple",[]])", "tuple([])", "tuple"},
      {tup({S, tup({B})}), R"(["tuple",["string",["tuple",["bool"]]]])", "tuple([string, tuple([bool])])",
       "tuple"},
      {obj({}), R"(["object",{}])", "object({})", "object"},
      {obj({{"b", N}, {"a", Type::set(S)}}), R"(["object",{"a":["set","string"],"b":"number"}])",
       "object({a=set(string), b=number})", "object"},
      {Type::list(obj({{"x y", B}})), R"(["list",["object",{"x y":"bool"}]])",
       R"(list(object({"x y"=bool})))", "list of object"},
  };
  for (const Row& r : rows) {
    CHECK(r.type.json() == r.json);
    CHECK(r.type.constraint_text() == r.constraint);
    CHECK(r.type.friendly_name() == r.friendly);
  }
}

TEST_CASE("the same type is the same integer, however it was built") {
  CHECK(Type::list(S) == Type::list(S));
  CHECK(Type::list(S) != Type::set(S));
  CHECK(obj({{"a", S}, {"b", N}}) == obj({{"b", N}, {"a", S}}));
  CHECK(obj({{"a", S}, {"b", N}}) != obj({{"a", N}, {"b", S}}));
  CHECK(tup({S, N}) == tup({S, N}));
  CHECK(tup({S, N}) != tup({N, S}));
  CHECK(tup({}) != obj({}));
  CHECK(Type() == D);
}

TEST_CASE("questions about a type") {
  CHECK(D.has_dynamic());
  CHECK(Type::list(obj({{"a", tup({S, D})}})).has_dynamic());
  CHECK_FALSE(obj({{"a", S}}).has_dynamic());
  CHECK(S.depth() == 0);
  CHECK(Type::list(Type::map(S)).depth() == 2);
  CHECK(obj({{"a", Type::list(S)}, {"b", S}}).depth() == 2);
  CHECK(Type::list(S).is_collection());
  CHECK(tup({}).is_structural());
  CHECK(Type::map(N).element() == N);
  CHECK(Type::type_capsule().kind() == TypeKind::Capsule);
}

TEST_CASE("attributes are found by symbol and by text, few or many") {
  for (int n : {0, 1, 5, 16, 17, 64, 300}) {
    std::vector<std::pair<Symbol, Type>> attrs;
    for (int i = n; i-- > 0;) attrs.emplace_back(Symbol("attr" + std::to_string(i)), i % 2 ? S : N);
    Type t = Type::object(attrs);
    REQUIRE(t.attr_names().size() == static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) {
      std::string name = "attr" + std::to_string(i);
      int at = t.find_attr(Symbol(name));
      REQUIRE(at >= 0);
      CHECK(t.attr_names()[static_cast<size_t>(at)].sv() == name);
      CHECK(t.elements()[static_cast<size_t>(at)] == (i % 2 ? S : N));
      CHECK(t.find_attr(std::string_view(name)) == at);
    }
    CHECK(t.find_attr(Symbol("nothing")) == -1);
    CHECK(t.find_attr(std::string_view("attr")) == -1);
  }
  CHECK(S.find_attr(Symbol("a")) == -1);
  CHECK(tup({S}).find_attr(std::string_view("a")) == -1);
}

TEST_CASE("threads that build the same types agree on them") {
  constexpr int kThreads = 4, kTypes = 2000;
  std::vector<std::vector<Type>> made(kThreads);
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < kTypes; ++i) {
        Type t = obj({{("n" + std::to_string(i)).c_str(), Type::list(S)}, {"z", Type::map(N)}});
        made[static_cast<size_t>(k)].push_back(Type::set(t));
        if (made[static_cast<size_t>(k)].back().element() != t) std::abort();
      }
    });
  for (auto& t : threads) t.join();
  for (int k = 1; k < kThreads; ++k) CHECK(made[static_cast<size_t>(k)] == made[0]);
}
