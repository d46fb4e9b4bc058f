// Functions on numbers: abs ceil floor log max min parseint pow range signum sum.
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/eval/functions/float_math.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

constexpr size_t kMaxRange = 1024;  // as in the reference tools: a longer range is nearly always a mistake

Value f_abs(Args args, const CallContext&, CallError&) {
  return Value::number(args[0].as_number().absolute()).with_marks(args[0].marks());
}

Value f_ceil(Args args, const CallContext&, CallError&) {
  return Value::number(args[0].as_number().ceil());
}
Value f_floor(Args args, const CallContext&, CallError&) {
  return Value::number(args[0].as_number().floor());
}

// As a double; numbers beyond its range are refused, infinities are not.
bool as_double(const Value& v, double& out, CallError& error, int argument) {
  Number n = v.as_number();
  out = n.to_double();
  if (!std::isinf(out) || n.is_infinite()) return true;
  fail(error,
       "the number is beyond the range of this function, which computes with 64-bit floating point numbers",
       argument);
  return false;
}

Value from_double(double d, CallError& error) {
  if (std::isnan(d)) return fail(error, "the result is not defined for these numbers");
  if (std::isinf(d)) return Value::number(Number::infinity(d < 0));
  return Value::number(Number::from_double(d));
}

Value f_log(Args args, const CallContext&, CallError& error) {
  double n, base;
  if (!as_double(args[0], n, error, 0) || !as_double(args[1], base, error, 1)) return Value::unknown();
  return from_double(natural_log(n) / natural_log(base), error);
}

Value f_pow(Args args, const CallContext&, CallError& error) {
  double n, exponent;
  if (!as_double(args[0], n, error, 0) || !as_double(args[1], exponent, error, 1)) return Value::unknown();
  return from_double(power(n, exponent), error);
}

template <bool kGreatest>
Value extreme(Args args, const CallContext&, CallError& error) {
  if (args.empty()) return fail(error, "at least one number is required");
  const Value* best = &args[0];
  for (const Value& v : args) {
    auto order = v.as_number() <=> best->as_number();
    if (kGreatest ? order > 0 : order < 0) best = &v;
  }
  return *best;
}

Value f_signum(Args args, const CallContext&, CallError& error) {
  int64_t n;
  if (!whole_number(args[0], n, error, 0, "the number")) return Value::unknown();
  return Value::number(n < 0 ? -1 : n > 0 ? 1 : 0);
}

int digit_value(char c, int64_t base) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + (base <= 36 ? 10 : 36);
  return 99;
}

Type parseint_type(Args args, CallError& error) {
  if (args[0].type() != Type::string())
    return fail_type(
        error, "a string of digits is required, not " + with_article(args[0].type().friendly_name()), 0);
  return Type::number();
}

Value f_parseint(Args args, const CallContext&, CallError& error) {
  parseint_type(args, error);
  if (!error.message.empty()) return Value::unknown();
  Marks marks = args[0].marks() | args[1].marks();
  if (args[0].is_unknown() || args[1].is_unknown()) return unknown_not_null(Type::number()).with_marks(marks);
  int64_t base;
  if (!whole_number(args[1], base, error, 1, "the base")) return Value::unknown();
  if (base < 2 || base > 62) return fail(error, "the base must be from 2 to 62", 1);
  std::string_view text = args[0].as_string(), digits = text;
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
  bool valid = !digits.empty() &&
               std::all_of(digits.begin(), digits.end(), [&](char c) { return digit_value(c, base) < base; });
  if (!valid) {
    std::string what = marks ? "the string (whose value is sensitive)" : '"' + std::string(text) + '"';
    return fail(error, what + " is not a whole number in base " + std::to_string(base), 0);
  }
  std::string plain = text[0] == '-' ? "-" + std::string(digits) : std::string(digits);
  Result<Number> n = Number::parse_base(plain, static_cast<int>(base));
  if (!n.ok()) return fail(error, n.error().message, 0);
  return Value::number(*n).with_marks(marks);
}

Value f_range(Args args, const CallContext&, CallError& error) {
  if (args.empty() || args.size() > 3)
    return fail(
        error,
        "one, two or three numbers are required: an end, a start and an end, or a start, an end and a step");
  Number start = args.size() == 1 ? Number(0) : args[0].as_number();
  Number end = args[args.size() == 1 ? 0 : 1].as_number();
  Number step = args.size() == 3 ? args[2].as_number() : Number(end < start ? -1 : 1);
  bool down = step.sign() < 0;
  if (down && end > start) return fail(error, "with a negative step, the end must not be above the start", 1);
  if (!down && end < start)
    return fail(error, "with a positive step, the end must not be below the start", 1);
  std::vector<Value> out;
  for (Number n = start; down ? n > end : n < end; n = n + step) {
    if (step.sign() == 0) return fail(error, "the step must not be zero", 2);
    if (out.size() == kMaxRange)
      return fail(error,
                  "the range has more than 1024 numbers; reduce the distance between start and end or use a "
                  "larger step");
    if (!Number::add_defined(n, step)) return fail(error, "the range has no end");
    out.push_back(Value::number(n));
  }
  return Value::list(Type::number(), std::move(out));
}

Value f_sum(Args args, const CallContext&, CallError& error) {
  const Value& list = args[0];
  if (!is_sequence_or_set(list.type()))
    return fail(
        error,
        "a list, set or tuple of numbers is required, not " + with_article(list.type().friendly_name()), 0);
  if (list.length() == 0) return fail(error, "there is nothing to add: the list is empty", 0);
  if (!list.is_wholly_known()) return unknown_not_null(Type::number());
  Number total;
  bool first = true;
  for (const Value& e : list.elements()) {
    std::optional<Value> n = e.is_null() ? std::nullopt : convert(e, Type::number());
    if (!n) return fail(error, "every element must be a number", 0);
    if (!first && !Number::add_defined(total, n->as_number()))
      return fail(error, "the sum of a positive and a negative infinity is not defined", 0);
    total = first ? n->as_number() : total + n->as_number();
    first = false;
  }
  return Value::number(total);
}

}  // namespace

void register_numeric(FunctionTable& table) {
  Type number = Type::number();
  auto num = [&](std::string_view name, bool dynamic = false, bool marked = false) {
    return Param{.name = name, .type = number, .allow_dynamic = dynamic, .allow_marked = marked};
  };
  table.add({.name = "abs",
             .params = {num("num", true, true)},
             .returns = number,
             .impl = f_abs,
             .description = "The number without its sign."});
  table.add({.name = "ceil",
             .params = {num("num")},
             .returns = number,
             .impl = f_ceil,
             .description = "The smallest whole number that is not less than the given one."});
  table.add({.name = "floor",
             .params = {num("num")},
             .returns = number,
             .impl = f_floor,
             .description = "The largest whole number that is not greater than the given one."});
  table.add({.name = "log",
             .params = {num("num"), num("base")},
             .returns = number,
             .impl = f_log,
             .description = "The logarithm of a number in a base."});
  table.add({.name = "max",
             .variadic = num("numbers", true),
             .returns = number,
             .impl = extreme<true>,
             .description = "The greatest of the given numbers."});
  table.add({.name = "min",
             .variadic = num("numbers", true),
             .returns = number,
             .impl = extreme<false>,
             .description = "The smallest of the given numbers."});
  table.add({.name = "parseint",
             .params = {{.name = "number", .allow_unknown = true, .allow_marked = true},
                        {.name = "base", .type = number, .allow_unknown = true, .allow_marked = true}},
             .returns = number,
             .type_of = parseint_type,
             .impl = f_parseint,
             .description = "Reads a string as a whole number in a base from 2 to 62."});
  table.add({.name = "pow",
             .params = {num("num"), num("power")},
             .returns = number,
             .impl = f_pow,
             .description = "A number raised to a power."});
  table.add({.name = "range",
             .variadic = num("params"),
             .returns = Type::list(number),
             .impl = f_range,
             .description = "A list of numbers from a start up to but excluding an end, by a step."});
  table.add({.name = "signum",
             .params = {num("num")},
             .returns = number,
             .impl = f_signum,
             .description = "-1, 0 or 1: the sign of a whole number."});
  table.add({.name = "sum",
             .params = {any_param("list")},
             .returns = number,
             .impl = f_sum,
             .description = "The sum of the numbers of a list, set or tuple."});
}

}  // namespace xplan::eval
