// The names that test expressions can refer to; see testdata/eval/README.md. Used by the tests of this
// directory.
#pragma once
#include "core/eval/eval.h"

namespace xplan::eval {

inline NamesScope test_scope(const FunctionTable& functions) {
  auto str = [](std::string_view s) { return Value::string(s); };
  auto strings = [&](std::initializer_list<std::string_view> list) {
    std::vector<Value> out;
    for (auto s : list) out.push_back(str(s));
    return out;
  };
  auto object = [](std::initializer_list<std::pair<std::string_view, Value>> list) {
    std::vector<std::pair<Symbol, Value>> attrs;
    for (const auto& [name, v] : list) attrs.emplace_back(Symbol(name), v);
    return Value::object(std::move(attrs));
  };
  Type s = Type::string();
  Refinement not_null;
  not_null.not_null = true;
  std::vector<Type> two{s, Type::number()};
  Value sens = str("secret").with_marks(kSensitive);
  Value local = object({
      {"one", Value::number(1)},
      {"text", str("abc")},
      {"none", Value::null()},
      {"list", Value::list(s, strings({"a", "b", "c"}))},
      {"set", Value::set(s, strings({"b", "a"}))},
      {"map", Value::map(s, {{"a", str("x")}, {"b", str("y")}})},
      {"obj", object({{"name", str("n")},
                      {"tags", Value::tuple(strings({"t1", "t2"}))},
                      {"sub", object({{"deep", Value::boolean(true)}})}})},
      {"objs", Value::list(Type::object({{Symbol("id"), s}}),
                           {object({{"id", str("i1")}}), object({{"id", str("i2")}})})},
      {"null_string", Value::null(s)},
      {"null_list", Value::null(Type::list(s))},
      {"sens", sens},
      {"sens_num", Value::number(7).with_marks(kSensitive)},
      {"sens_bool", Value::boolean(true).with_marks(kSensitive)},
      {"sens_list", Value::list(s, strings({"s0", "s1"})).with_marks(kSensitive)},
      {"sens_map", Value::map(s, {{"k", str("v")}}).with_marks(kSensitive)},
      {"mixed", object({{"public", str("p")}, {"private", sens}})},
      {"eph", str("fleeting").with_marks(kEphemeral)},
      {"unk", Value::unknown()},
      {"unk_string", Value::unknown(s)},
      {"unk_id", Value::unknown(s, not_null)},
      {"unk_number", Value::unknown(Type::number())},
      {"unk_bool", Value::unknown(Type::boolean())},
      {"unk_list", Value::unknown(Type::list(s))},
      {"unk_set", Value::unknown(Type::set(s))},
      {"unk_map", Value::unknown(Type::map(s))},
      {"unk_obj", Value::unknown(Type::object({{Symbol("a"), s}, {Symbol("b"), Type::number()}}))},
      {"unk_tuple", Value::unknown(Type::tuple(two))},
  });
  NamesScope scope(functions);
  scope.names.emplace_back(Symbol("local"), local);
  scope.names.emplace_back(Symbol("path"), object({{"module", str(".")}}));
  return scope;
}

}  // namespace xplan::eval
