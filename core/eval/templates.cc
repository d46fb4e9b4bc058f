// Evaluates templates: interpolation, if and for directives, size limits, and what is known of a string with
// unknown parts.
#include "core/eval/evaluator.h"
#include "core/eval/limits.h"
#include "core/eval/rounds.h"
#include "core/value/refine.h"

namespace xplan::eval {

bool Evaluator::string_fits(size_t bytes, const Expr& e) {
  if (bytes <= kMaxStringBytes) return true;
  error("String too long",
        "The result of this template is longer than " + std::to_string(kMaxStringBytes >> 20) +
            " MiB, which is the limit.",
        e, e);
  return false;
}

// Appends one part. Once a part is unknown (known = false) nothing more is appended: `out` is then the
// beginning that is known. False after an error.
bool Evaluator::append_part(std::string& out, Value v, const Expr& part, const Expr& whole, Marks& marks,
                            bool& known) {
  marks |= v.marks();
  if (v.is_null()) {
    error("Null in a template",
          "This part of the template is null, which cannot be converted to a string. If null is intended, "
          "provide a replacement value with coalesce or a conditional.",
          part, whole);
    return false;
  }
  if (v.is_unknown()) {
    known = false;
    return true;
  }
  if (!v.is_string()) {
    auto text = convert(v.marks() ? v.without_own_marks() : v, Type::string());
    if (!text) {
      error("Template part cannot be converted to a string",
            "This part of the template is " + kind_noun(v.type()) +
                ". Only strings, numbers and bools can be inserted into a string; use jsonencode for other "
                "values.",
            part, whole);
      return false;
    }
    v = std::move(*text);
  }
  if (known) out += v.as_string();
  return true;
}

Value Evaluator::template_string(const Expr& e) {
  std::string text;
  Marks marks = 0;
  bool known = true, ok = true;
  for (const Expr* part : e.items) {
    if (part->kind == ExprKind::Literal && part->value.is_string()) {
      if (known) text += part->value.as_string();
    } else {
      size_t errors = diags_.error_count();
      Value v = eval(*part);
      // After an error in the part itself nothing more is said about it.
      ok = diags_.error_count() == errors && append_part(text, std::move(v), *part, e, marks, known) && ok;
    }
    if (known && !string_fits(text.size(), e)) return Value::unknown(Type::string());
  }
  if (!ok) return Value::unknown(Type::string()).with_marks(marks);
  if (known) {
    Value v = Value::string(text);
    return marks ? v.with_marks(marks) : v;
  }
  Refinement r;
  r.not_null = true;
  r.prefix = safe_prefix(text);
  return Value::unknown(Type::string(), r).with_marks(marks);
}

Value Evaluator::template_if(const Expr& e) {
  Value cond = eval(*e.a);
  Marks marks = 0;
  bool ok = condition(cond, marks, *e.a, e);
  static const Value kEmpty = Value::string("").immortal();
  // As in a conditional, the other branch is evaluated too: its marks count.
  Diagnostics discarded;
  bool first = ok && cond.is_true(), second = ok && cond.is_false();
  Value yes = first ? eval(*e.b) : with(discarded, true).eval(*e.b);
  Value no = !e.c ? kEmpty : second ? eval(*e.c) : with(discarded, true).eval(*e.c);
  marks |= yes.marks() | no.marks();
  if (!ok) return Value::unknown(Type::string());
  if (cond.is_unknown()) return unknown_not_null(Type::string()).with_marks(marks);
  return (first ? yes : no).with_marks(marks);
}

Value Evaluator::template_for(const Expr& e) {
  Value collection = eval(*e.a);
  Marks marks = collection.marks();
  if (!iterable(e, collection, "a template's for")) return Value::unknown(Type::string());
  if (collection.is_unknown()) return unknown_not_null(Type::string()).with_marks(marks);
  std::string text;
  bool known = true;
  bool ok = rounds(e, collection, [&](const Value&, Evaluator& round) {
    Value v = round.eval(*e.b);
    marks |= v.marks();
    if (!v.is_string()) known = false;
    if (known) text += v.as_string();
    return string_fits(text.size(), e);
  });
  if (!ok || !known) return unknown_not_null(Type::string()).with_marks(marks);
  return Value::string(text).with_marks(marks);
}

}  // namespace xplan::eval
