// The assume family: what is asserted of a value, which is checked as soon as the value is known, and known
// of an unknown one from there on.
#include <limits>

#include "core/base/text.h"
#include "core/eval/functions/support.h"
#include "core/value/convert.h"
#include "core/value/refine.h"

namespace xplan::eval {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// The value of the second argument takes the place of the first, along with its marks.
Value f_assumeequal(Args args, const CallContext&, CallError& error) {
  const Value &actual = args[0], &expected = args[1];
  std::optional<Value> same_kind = convert(actual, expected.type());
  if (!same_kind) {
    return fail(error,
                with_article(actual.type().friendly_name()) + " cannot be equal to " +
                    with_article(expected.type().friendly_name()) + ", which is what is expected",
                0);
  }
  const Value equal = equals(same_kind->unmark_deep(), expected.unmark_deep());
  if (equal.is_known() && !equal.as_bool()) return fail(error, "it is not equal to the expected value", 0);
  return expected;
}

Value f_assumenotnull(Args args, const CallContext&, CallError& error) {
  const Value& v = args[0];
  if (v.type().is_dynamic()) {
    return fail(error,
                "its type must be known; convert(value, TYPE) says which one it has, so call assumenotnull "
                "with its result",
                0);
  }
  if (v.is_null()) return fail(error, "it is null", 0);
  return refine_not_null(v);
}

Value f_assumestringprefix(Args args, const CallContext&, CallError& error) {
  const Value& v = args[0];
  const std::string_view prefix = args[1].as_string();
  if (v.is_null()) return v;
  if (v.is_known()) {
    if (v.as_string().starts_with(prefix)) return v;
    return fail(error, "it does not begin with \"" + std::string(prefix) + "\"", 0);
  }
  Refinement r;
  r.prefix = safe_prefix(prefix);
  const std::string& known = v.refinement().prefix;
  if (!known.starts_with(r.prefix) && !r.prefix.starts_with(known)) {
    return fail(error, "it will begin with \"" + known + "\", not with \"" + std::string(prefix) + "\"", 0);
  }
  return refine(v, r);
}

bool length_argument(Args args, size_t i, int64_t& out, CallError& error) {
  if (!whole_number(args[i], out, error, static_cast<int>(i), "a length")) return false;
  if (out >= 0) return true;
  fail(error, "a length must not be negative", static_cast<int>(i));
  return false;
}

std::string elements(int64_t n) {
  return std::to_string(n) + (n == 1 ? " element" : " elements");
}

std::string between(int64_t least, int64_t most) {
  if (least == most) return "exactly " + elements(least);
  if (most == kNoLimit) return "at least " + elements(least);
  if (least == 0) return "at most " + elements(most);
  return std::to_string(least) + " to " + elements(most);
}

// Which of the bounds are given; the others are open.
template <bool kLeast, bool kMost>
Value f_assume_length(Args args, const CallContext&, CallError& error) {
  const Value& v = args[0];
  Refinement r;
  if (kLeast && !length_argument(args, 1, r.min_length, error)) return Value::unknown();
  if (kMost && !length_argument(args, kLeast ? 2 : 1, r.max_length, error)) return Value::unknown();
  if (r.min_length > r.max_length)
    return fail(error, "the largest length must not be smaller than the smallest one", 2);
  if (v.is_null()) return v;
  const Refinement has = range_of(v);
  if (has.max_length < r.min_length || has.min_length > r.max_length) {
    return fail(error,
                (v.is_known() ? "it has " : "it will have ") +
                    (has.min_length == has.max_length ? elements(has.min_length)
                                                      : between(has.min_length, has.max_length)) +
                    ", not " + between(r.min_length, r.max_length),
                0);
  }
  return refine(v, r);
}

Type type_of_first(Args args, CallError&) {
  return args[0].type();
}

}  // namespace

void register_assumptions(FunctionTable& table) {
  auto add = [&](std::string_view name, Type of, std::vector<Param> bounds, Impl impl,
                 std::string_view description) {
    Param value = open_param("value");
    value.type = of;
    std::vector<Param> params{value};
    params.insert(params.end(), bounds.begin(), bounds.end());
    table.add({.name = name,
               .params = std::move(params),
               .returns = of,
               .type_of = type_of_first,
               .impl = impl,
               .refine_not_null = false,
               .addition = true,
               .description = description});
  };
  Param actual = open_param("actual_value"), expected = open_param("expected_value");
  actual.allow_marked = expected.allow_marked = true;
  table.add({.name = "assumeequal",
             .params = {actual, expected},
             .impl = f_assumeequal,
             .refine_not_null = false,
             .addition = true,
             .description = "The second value, which the first one must be equal to."});
  add("assumenotnull", Type::dynamic(), {}, f_assumenotnull, "The value, which must not be null.");
  add("assumestringprefix", Type::string(), {{"prefix", Type::string()}}, f_assumestringprefix,
      "The string, which must begin with the prefix.");

  const Param least{"min_length", Type::number()}, most{"max_length", Type::number()};
  struct Names {
    std::string_view both, least, most;
    Type type;
  };
  const Names kNames[] = {
      {"assumelistlength", "assumelistlengthmin", "assumelistlengthmax", Type::list(Type::dynamic())},
      {"assumesetlength", "assumesetlengthmin", "assumesetlengthmax", Type::set(Type::dynamic())},
      {"assumemaplength", "assumemaplengthmin", "assumemaplengthmax", Type::map(Type::dynamic())}};
  for (const Names& n : kNames) {
    add(n.both, n.type, {least, most}, f_assume_length<true, true>,
        "The collection, whose length must be within the bounds.");
    add(n.least, n.type, {least}, f_assume_length<true, false>,
        "The collection, which must have at least so many elements.");
    add(n.most, n.type, {most}, f_assume_length<false, true>,
        "The collection, which must have at most so many elements.");
  }
}

}  // namespace xplan::eval
