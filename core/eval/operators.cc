// Arithmetic, comparison and logical operators, and conditionals with the unification of their branches:
// results for unknown and marked operands, refinements, errors.
#include <array>

#include "core/base/text.h"
#include "core/eval/evaluator.h"
#include "core/value/refine.h"

namespace xplan::eval {

namespace {
Marks strip_marks(Value& v) {
  if (!v.contains_marks()) return 0;
  Marks m = v.deep_marks();
  v = v.unmark_deep();
  return m;
}

bool is_comparison(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge;
}
bool is_logic(Op op) {
  return op == Op::And || op == Op::Or;
}

bool compare(Op op, const Number& x, const Number& y) {
  if (op == Op::Lt) return x < y;
  if (op == Op::Le) return x <= y;
  return op == Op::Gt ? x > y : x >= y;
}

// Only ranges that do not touch decide a comparison, for all four operators alike, as in the language.
Value compare_unknown(Op op, const Value& a, const Value& b) {
  Refinement x = range_of(a), y = range_of(b);
  bool less = x.has_upper && y.has_lower && x.upper < y.lower;
  bool greater = x.has_lower && y.has_upper && x.lower > y.upper;
  if (!less && !greater) return unknown_not_null(Type::boolean());
  return Value::boolean((op == Op::Lt || op == Op::Le) == less);
}

// The reason why numbers have no result, empty when they have one.
std::string_view undefined(Op op, const Number& x, const Number& y) {
  switch (op) {
    case Op::Add:
      return Number::add_defined(x, y) ? "" : "the sum of opposite infinities is undefined.";
    case Op::Sub:
      return Number::sub_defined(x, y) ? "" : "infinity minus infinity is undefined.";
    case Op::Mul:
      return Number::mul_defined(x, y) ? "" : "zero times infinity is undefined.";
    case Op::Div:
      return Number::div_defined(x, y) ? "" : "zero divided by zero, or infinity by infinity, is undefined.";
    case Op::Mod:
      return x.is_infinite() || y.is_infinite() ? "a remainder is defined only for finite numbers." : "";
    case Op::Neg:
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      break;
  }
  return "";
}

Number arithmetic(Op op, const Number& x, const Number& y) {
  if (op == Op::Add) return x + y;
  if (op == Op::Sub) return x - y;
  if (op == Op::Mul) return x * y;
  return op == Op::Div ? x / y : Number::modulo(x, y);
}

bool is_untyped_null(const Value& v) {
  return v.is_null() && v.type().is_dynamic();
}
// The type of a conditional with these results, and whether they have to be converted to it; false when they
// have none in common.
bool common_type(const Value& yes, const Value& no, Type& type, bool& convert_both) {
  convert_both = true;
  if (is_untyped_null(yes)) return type = no.type(), true;
  if (is_untyped_null(no)) return type = yes.type(), true;
  convert_both = false;
  if (yes.type().is_dynamic() || no.type().is_dynamic()) return true;
  if (yes.type() == no.type()) return type = yes.type(), true;
  convert_both = true;
  std::array<Type, 2> both{yes.type(), no.type()};
  return unify(both, type);
}

// What is known of a value of this type that is one of the two.
Refinement common_refinement(const Value& a, const Value& b, Type type) {
  Refinement r;
  r.not_null = a.is_definitely_not_null() && b.is_definitely_not_null();
  if (r.not_null && a.type() == type && b.type() == type) {
    Refinement x = range_of(a), y = range_of(b);
    if (type == Type::number()) {
      if (x.has_lower && y.has_lower) {
        const Refinement& low = y.lower < x.lower ? y : x;
        r.has_lower = true, r.lower = low.lower, r.lower_inclusive = low.lower_inclusive;
      }
      if (x.has_upper && y.has_upper) {
        const Refinement& high = y.upper > x.upper ? y : x;
        r.has_upper = true, r.upper = high.upper, r.upper_inclusive = high.upper_inclusive;
      }
    } else if (type.is_collection()) {
      r.min_length = std::min(x.min_length, y.min_length);
      r.max_length = std::max(x.max_length, y.max_length);
    }
  }
  return r;
}

}  // namespace

// Makes an operand fit: converted, known not to be null. Reports and returns false when it does not.
bool Evaluator::operand(Value& v, Type want, const Expr& part, const Expr& whole, std::string_view side) {
  if (v.is_null()) {
    error("Null operand",
          "The " + std::string(side) + " is null, and " + kind_noun(want) +
              " is required here. If null is intended, provide a replacement value with coalesce or a "
              "conditional.",
          part, whole);
    return false;
  }
  if (v.type() == want || (v.is_unknown() && v.type().is_dynamic())) return true;
  ConversionError why;
  if (auto converted = convert(v, want, &why)) {
    v = std::move(*converted);
    return true;
  }
  error("Unsuitable operand",
        "The " + std::string(side) +
            (v.is_string()
                 ? " must be " + kind_noun(want) + ", but this string is not one."
                 : " is " + kind_noun(v.type()) + ", which cannot be used as " + kind_noun(want) + "."),
        part, whole);
  return false;
}

Value Evaluator::unary(const Expr& e, Value a) {
  Type want = e.op == Op::Not ? Type::boolean() : Type::number();
  Marks marks = strip_marks(a);
  if (!operand(a, want, *e.a, e, "operand")) return Value::unknown(want);
  if (a.is_unknown()) return marked(unknown_not_null(want), marks);
  return marked(e.op == Op::Not ? Value::boolean(!a.as_bool()) : Value::number(a.as_number().negate()),
                marks);
}

Value Evaluator::binary(const Expr& e, Value a, Value b) {
  Marks marks = strip_marks(a) | strip_marks(b);
  if (e.op == Op::Eq || e.op == Op::Ne) {
    Value same = equals(a, b);
    if (same.is_unknown()) return marked(unknown_not_null(Type::boolean()), marks);
    return marked(Value::boolean(same.is_true() == (e.op == Op::Eq)), marks);
  }
  Type want = is_logic(e.op) ? Type::boolean() : Type::number();
  Type result = is_logic(e.op) || is_comparison(e.op) ? Type::boolean() : Type::number();
  bool left = operand(a, want, *e.a, e, "left operand");
  bool right = operand(b, want, *e.b, e, "right operand");
  if (!left || !right) return Value::unknown(result);
  if (a.is_unknown() || b.is_unknown()) {
    Value open = is_comparison(e.op) ? compare_unknown(e.op, a, b) : unknown_not_null(result);
    return marked(std::move(open), marks);
  }
  if (is_logic(e.op))
    return marked(Value::boolean(e.op == Op::And ? a.as_bool() && b.as_bool() : a.as_bool() || b.as_bool()),
                  marks);
  Number x = a.as_number(), y = b.as_number();
  if (is_comparison(e.op)) return marked(Value::boolean(compare(e.op, x, y)), marks);
  std::string_view reason = undefined(e.op, x, y);
  if (!reason.empty()) {
    error("Undefined arithmetic", "This cannot be calculated: " + std::string(reason), e, e);
    return Value::unknown(result);
  }
  return marked(Value::number(arithmetic(e.op, x, y)), marks);
}

// Makes v the condition of something: a known bool or an unknown one, without marks. False after an error.
bool Evaluator::condition(Value& v, Marks& marks, const Expr& part, const Expr& whole) {
  marks |= v.marks();
  if (v.is_null()) {
    error("Null condition", "The condition is null; it must be true or false.", part, whole);
    return false;
  }
  if (v.is_unknown()) {
    v = unknown_not_null(Type::boolean());
    return true;
  }
  if (v.is_bool()) {
    if (v.marks()) v = v.without_own_marks();
    return true;
  }
  auto converted = convert(v.without_own_marks(), Type::boolean());
  if (!converted) {
    error("Unsuitable condition", "The condition is " + kind_noun(v.type()) + "; it must be true or false.",
          part, whole);
    return false;
  }
  v = std::move(*converted);
  return true;
}

// Both results are evaluated whatever the condition says, because the type of the whole depends on both; what
// goes wrong in the one that is not chosen does not matter.
Value Evaluator::conditional(const Expr& e) {
  Value cond = eval(*e.a);
  Marks marks = 0;
  bool ok = condition(cond, marks, *e.a, e);
  bool first = ok && cond.is_true(), second = ok && cond.is_false();
  Diagnostics discarded;
  Value yes = first ? eval(*e.b) : with(discarded, true).eval(*e.b);
  Value no = second ? eval(*e.c) : with(discarded, true).eval(*e.c);
  if (discarded.has_errors() && stopped(e)) return Value::unknown();  // what was discarded is incomplete
  marks |= yes.marks() | no.marks();

  Type result;
  bool convert_both = false;
  if (!common_type(yes, no, result, convert_both)) {
    error("Incompatible conditional results",
          "Both results of a conditional must have the same type, or be convertible to one type. The true "
          "result is " +
              kind_noun(yes.type()) + ", and the false result is " + kind_noun(no.type()) + ".",
          e, e);
    return Value::unknown();
  }
  if (!ok) return Value::unknown(result);
  auto fit = [&](Value& v, const Expr& part) {
    if (!convert_both || v.type() == result) return true;
    ConversionError why;
    auto converted = convert(v, result, &why);
    if (!converted) {
      error("Incompatible conditional results",
            "The common type of the two results of this conditional is " +
                with_article(result.friendly_name()) + ", but this one cannot be converted to it: " +
                (v.contains_marks() ? why.message : why.text()) + ".",
            part, e);
      return false;
    }
    v = std::move(*converted);
    return true;
  };
  if (first) return fit(yes, *e.b) ? marked(std::move(yes), marks) : Value::unknown(result);
  if (second) return fit(no, *e.c) ? marked(std::move(no), marks) : Value::unknown(result);

  // Not known which: what both results have in common is known all the same.
  if (yes.is_null() && no.is_null()) return marked(Value::null(result), marks);
  if (yes.type().is_dynamic() || no.type().is_dynamic()) {
    if (!is_untyped_null(yes) && !is_untyped_null(no)) return marked(Value::unknown(), marks);
  }
  return marked(Value::unknown(result, common_refinement(yes, no, result)), marks);
}

}  // namespace xplan::eval
