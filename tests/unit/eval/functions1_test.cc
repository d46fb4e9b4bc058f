// Functions on numbers, strings, collections, sets and marks: what testdata/eval/functions_*.case cannot
// show: signatures, sizes, limits.
#include <catch2/catch.hpp>
#include <cmath>
#include <ctime>
#include <string>

#include "core/eval/eval.h"
#include "core/eval/functions/float_math.h"
#include "core/eval/functions/support.h"

using namespace xplan;
using namespace xplan::eval;

namespace {

const FunctionTable& functions() {
  static const FunctionTable* table = [] {
    auto* t = new FunctionTable;
    register_numeric(*t);
    register_strings(*t);
    register_format(*t);
    register_collections(*t);
    register_sets(*t);
    register_conversion(*t);
    return t;
  }();
  return *table;
}

Value call(std::string_view name, std::vector<Value> args, std::string* problem = nullptr) {
  const Function* f = functions().find(name);
  REQUIRE(f);
  Diagnostics diags;
  Value v = functions().call(*f, args, {}, {}, diags);
  std::string text;
  for (const auto& d : diags.all()) text += d.detail;
  if (problem)
    *problem = text;
  else
    CHECK(text == "");
  return v;
}

std::string problem_of(std::string_view name, std::vector<Value> args) {
  std::string out;
  call(name, std::move(args), &out);
  return out;
}

Value str(std::string_view s) {
  return Value::string(s);
}
Value num(int64_t n) {
  return Value::number(n);
}

Value numbers(int64_t count, int64_t modulus) {
  std::vector<Value> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(num(i % modulus));
  return Value::list(Type::number(), std::move(out));
}

std::string param_text(const Param& p) {
  return std::string(p.name) + (p.allow_null ? "?" : "") + ":" + p.type.constraint_text();
}

std::string signature(const Function& f) {
  std::string out = std::string(f.name) + "(";
  for (const Param& p : f.params) out += (out.back() == '(' ? "" : ", ") + param_text(p);
  if (f.variadic) out += (out.back() == '(' ? "" : ", ") + param_text(*f.variadic) + "...";
  return out + ") -> " + signature_type(f).constraint_text();
}

}  // namespace

TEST_CASE("signatures are those that configurations are written for") {
  const char* want[] = {
      "abs(num:number) -> number",
      "alltrue(list:list(bool)) -> bool",
      "anytrue(list:list(bool)) -> bool",
      "can(expression:any) -> bool",
      "ceil(num:number) -> number",
      "chomp(str:string) -> string",
      "chunklist(list:list(any), size:number) -> list(list(any))",
      "coalesce(vals?:any...) -> any",
      "coalescelist(vals?:any...) -> any",
      "compact(list:list(string)) -> list(string)",
      "concat(seqs:any...) -> any",
      "contains(list:any, value:any) -> any",
      "convert(value?:any, type:any) -> any",
      "distinct(list:list(any)) -> list(any)",
      "element(list:any, index:number) -> any",
      "endswith(str:string, suffix:string) -> bool",
      "ephemeralasnull(value?:any) -> any",
      "flatten(list:any) -> any",
      "floor(num:number) -> number",
      "format(format:string, args?:any...) -> any",
      "formatlist(format:string, args?:any...) -> any",
      "indent(spaces:number, str:string) -> string",
      "index(list:any, value:any) -> any",
      "issensitive(value?:any) -> bool",
      "join(separator:string, lists:list(string)...) -> string",
      "keys(inputMap:any) -> any",
      "length(value:any) -> number",
      "log(num:number, base:number) -> number",
      "lookup(inputMap:any, key:string, default?:any...) -> any",
      "lower(str:string) -> string",
      "matchkeys(values:list(any), keys:list(any), searchset:list(any)) -> list(any)",
      "max(numbers:number...) -> number",
      "merge(maps?:any...) -> any",
      "min(numbers:number...) -> number",
      "nonsensitive(value?:any) -> any",
      "one(list:any) -> any",
      "parseint(number:any, base:number) -> any",
      "pow(num:number, power:number) -> number",
      "range(params:number...) -> list(number)",
      "replace(str:string, substr:string, replace:string) -> string",
      "reverse(list:any) -> any",
      "sensitive(value?:any) -> any",
      "setintersection(first_set:set(any), other_sets:set(any)...) -> set(any)",
      "setproduct(sets:any...) -> any",
      "setsubtract(a:set(any), b:set(any)) -> set(any)",
      "setunion(first_set:set(any), other_sets:set(any)...) -> set(any)",
      "signum(num:number) -> number",
      "slice(list:any, start_index:number, end_index:number) -> any",
      "sort(list:list(string)) -> list(string)",
      "split(separator:string, str:string) -> list(string)",
      "startswith(str:string, prefix:string) -> bool",
      "strcontains(str:string, substr:string) -> bool",
      "strrev(str:string) -> string",
      "substr(str:string, offset:number, length:number) -> string",
      "sum(list:any) -> any",
      "title(str:string) -> string",
      "tobool(v?:any) -> bool",
      "tolist(v?:any) -> list(any)",
      "tomap(v?:any) -> map(any)",
      "tonumber(v?:any) -> number",
      "toset(v?:any) -> set(any)",
      "tostring(v?:any) -> string",
      "transpose(values:map(list(string))) -> map(list(string))",
      "trim(str:string, cutset:string) -> string",
      "trimprefix(str:string, prefix:string) -> string",
      "trimspace(str:string) -> string",
      "trimsuffix(str:string, suffix:string) -> string",
      "try(expressions:any...) -> any",
      "upper(str:string) -> string",
      "values(mapping:any) -> any",
      "zipmap(keys:list(string), values:any) -> any",
  };
  size_t count = 0;
  for (std::string_view line : want) {
    std::string_view name = line.substr(0, line.find('('));
    const Function* f = functions().find(name);
    REQUIRE(f);
    CHECK(signature(*f) == line);
    CHECK(!f->description.empty());
    ++count;
  }
  CHECK(functions().names().size() == count);
}

TEST_CASE("a hundred thousand elements take no time to speak of") {
  std::clock_t start = std::clock();  // of the processor, so that a busy machine does not matter
  const int64_t n = 100000;
  Value all = numbers(n, n), some = numbers(n, 500);
  CHECK(call("distinct", {all}).length() == static_cast<size_t>(n));
  CHECK(call("distinct", {some}).length() == 500);
  CHECK(call("matchkeys", {all, all, some}).length() == 500);
  CHECK(call("index", {all, num(n - 1)}).as_number() == Number(n - 1));
  CHECK(call("contains", {all, num(-1)}).is_false());
  CHECK(call("setintersection", {all, some}).length() == 500);
  CHECK(call("setsubtract", {all, some}).length() == static_cast<size_t>(n - 500));
  CHECK(call("setunion", {all, all}).length() == static_cast<size_t>(n));
  CHECK(call("setproduct", {numbers(300, 300), numbers(300, 300)}).length() == 90000);
  CHECK(call("concat", {all, some}).length() == static_cast<size_t>(2 * n));
  CHECK(call("chunklist", {all, num(1)}).length() == static_cast<size_t>(n));
  CHECK(call("flatten", {call("chunklist", {all, num(3)})}).length() == static_cast<size_t>(n));
  CHECK(call("reverse", {all}).elements()[0].raw_equal(num(n - 1)));
  CHECK(call("sum", {some}).as_number() == Number(n / 500 * (499 * 500 / 2)));
  Value strings = call("formatlist", {str("k%05d"), all});
  CHECK(call("sort", {call("reverse", {strings})}).raw_equal(strings));
  Value map = call("zipmap", {strings, all});
  CHECK(call("merge", {map, map}).raw_equal(map));
  CHECK(call("keys", {map}).raw_equal(strings));
  CHECK(call("lookup", {map, str("k77777")}).raw_equal(num(77777)));
  Value joined = call("join", {str(","), strings});
  CHECK(call("split", {str(","), joined}).raw_equal(strings));
  CHECK(call("replace", {joined, str("/k0*/"), str("")}).as_string().size() < joined.as_string().size());
  CHECK(call("length", {joined}).as_number() == Number(static_cast<int64_t>(joined.as_string().size())));
  CHECK(call("strrev", {call("strrev", {joined})}).raw_equal(joined));
  CHECK((std::clock() - start) / CLOCKS_PER_SEC < 60);  // a quadratic one alone would take minutes
}

TEST_CASE("deeply nested lists are flattened") {
  Value v = num(1);
  for (int i = 0; i < 400; ++i) {
    Type t = v.type();
    v = Value::list(t, {v});
  }
  Value flat = call("flatten", {v});
  REQUIRE(flat.length() == 1);
  CHECK(flat.elements()[0].raw_equal(num(1)));
}

TEST_CASE("what would not fit into memory is refused") {
  Value big = numbers(5000, 5000);
  struct Row {
    const char* name;
    std::vector<Value> args;
  };
  const Row rows[] = {
      {"setproduct", {big, big}},
      {"setproduct", {big, big, big, big, big, big}},
      {"indent", {num(1000000000), str("a\nb")}},
      {"indent", {num(INT64_MAX), str("a\nb")}},
      {"format", {str("%1000001d"), num(1)}},
      {"format", {str("%.99999999999999999999f"), num(1)}},
      {"format", {str("%[99999999999999999999]d"), num(1)}},
      {"range", {num(1025)}},
      {"range", {num(0), Value::number(Number::infinity())}},
      {"range", {num(0), num(1), num(0)}},
      {"join",
       {str(std::string(1 << 20, 'x')), Value::list(Type::string(), std::vector<Value>(300, str("a")))}},
      {"replace", {str(std::string(1 << 15, 'x')), str("x"), str(std::string(1 << 15, 'y'))}},
      {"replace", {str(std::string(1 << 15, 'x')), str("/x/"), str(std::string(1 << 15, 'y'))}},
      {"replace", {str("x"), str("/((x{1000}){1000}){1000}/"), str("y")}},
  };
  for (const Row& row : rows) {
    INFO(row.name);
    CHECK(problem_of(row.name, row.args) != "");
  }
}

TEST_CASE("an indent that nothing needs is not made") {
  CHECK(call("indent", {num(1000000000000), str("one line")}).as_string() == "one line");
}

TEST_CASE("powers and logarithms have the digits that are in people's states") {
  struct Row {
    double base, exponent, want;
  };
  const Row rows[] = {
      {2, 10, 1024},
      {1.5, 2.5, 2.7556759606310757},
      {9.7, 3.3, 1804.457771761897},
      {1.0000001, 1000000, 1.1051709126081526},
      {12.5, 3.7, 11443.715388633304},
      {3, 0.25, 1.3160740129524924},
      {7.47, 0.85, 5.524875699225605},
      {8.09, 3.29, 970.8466493899655},
      {10, 308, 1.0000000000000006e308},
      {10, 309, INFINITY},
      {10, -400, 0},
      {2, -1074, 5e-324},
      {-2, -3, -0.125},
      {0, -1, INFINITY},
      {-1, 9223372036854775808.0, 1},
      {0.5, INFINITY, 0},
  };
  for (const Row& r : rows) {
    INFO(r.base << " ^ " << r.exponent);
    CHECK(power(r.base, r.exponent) == r.want);
  }
  CHECK(natural_log(1000) / natural_log(10) == 2.9999999999999996);
  CHECK(natural_log(3) / natural_log(7) == 0.5645750340535796);
  CHECK(natural_log(1e-320) == Approx(-736.8272979));
  CHECK(std::isnan(power(-8, 1.0 / 3)));
  CHECK(std::isnan(natural_log(-1)));
}

TEST_CASE("what is known of an unknown string or list is known of results") {
  Refinement r{.not_null = true};
  r.prefix = "svc-";
  Value text = Value::unknown(Type::string(), r);
  Value length = call("length", {text});
  CHECK(length.is_unknown());
  CHECK(length.refinement().has_lower);
  CHECK(length.refinement().lower == Number(4));
  CHECK(call("startswith", {text, str("svc")}).is_true());
  CHECK(call("startswith", {text, str("web")}).is_false());
  CHECK(call("startswith", {text, str("svc-1")}).is_unknown());
  Value formatted = call("format", {str("a-%s"), text});
  CHECK(formatted.refinement().prefix == "a-");
  CHECK(formatted.refinement().not_null);

  Refinement sized{.not_null = true, .min_length = 2, .max_length = 5};
  Value list = Value::unknown(Type::list(Type::string()), sized);
  CHECK(call("sort", {list}).refinement().min_length == 2);
  CHECK(call("sort", {list}).refinement().max_length == 5);
  CHECK(call("length", {list}).refinement().upper == Number(5));
  Value product = call("setproduct", {list, Value::tuple({num(1), num(2)})});
  CHECK(product.refinement().min_length == 1);
  CHECK(product.refinement().max_length == 10);
  CHECK(call("tolist", {list}).refinement().trivial());
}
