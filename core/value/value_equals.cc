// The language's == on values: true, false, or unknown until apply. Marks of everything compared are kept.
#include "core/value/refine.h"
#include "core/value/value.h"

// The language's ==. Three answers: equal, different, or not decided before apply.

namespace xplan {
namespace {

Tri equal_unmarked(const Value& a, const Value& b);

// Sequences and objects are compared in order, and the first element that is not equal decides: if it is
// unknown whether it is equal, so is the whole.
Tri equal_elements(const Value& a, const Value& b) {
  std::span<const Value> x = a.elements(), y = b.elements();
  for (size_t i = 0; i < x.size(); ++i)
    if (Tri t = equal_unmarked(x[i], y[i]); t != Tri::Yes) return t;
  return Tri::Yes;
}

Tri equal_objects(const Value& a, const Value& b) {
  // The order of attributes must not matter: a difference anywhere decides before an unknown anywhere.
  std::span<const Value> x = a.elements(), y = b.elements();
  Tri result = Tri::Yes;
  for (size_t i = 0; i < x.size(); ++i) {
    Tri t = equal_unmarked(x[i], y[i]);
    if (t == Tri::No) return t;
    if (t == Tri::Unknown) result = t;
  }
  return result;
}

// False when an unknown inside may still change the type. (A null of dynamic type is what it is.)
bool type_settled(const Value& v) {
  if (v.is_wholly_known() || !v.type().has_dynamic()) return true;
  if (v.is_unknown()) return false;
  for (const Value& e : v.elements())
    if (!type_settled(e)) return false;
  return true;
}

Tri known_with_unknown(const Value& known, const Value& unknown) {
  if (range_includes(unknown.type(), unknown.refinement(), known) == Tri::No) return Tri::No;
  // A null waits for the unknown, which may be null as well, and a dynamic type may still become the same.
  if (known.is_null() || unknown.type().has_dynamic() || known.type() == unknown.type()) return Tri::Unknown;
  return Tri::No;
}

Tri equal_unmarked(const Value& a, const Value& b) {
  if (a.is_null() && b.is_definitely_not_null()) return Tri::No;
  if (b.is_null() && a.is_definitely_not_null()) return Tri::No;
  if (a.is_unknown()) return b.is_unknown() ? Tri::Unknown : known_with_unknown(b, a);
  if (b.is_unknown()) return known_with_unknown(a, b);
  if (a.is_null() && b.is_null()) return Tri::Yes;
  if (!type_settled(a) || !type_settled(b))
    return type_conforms_to(a.type(), b.type()) || type_conforms_to(b.type(), a.type()) ? Tri::Unknown
                                                                                        : Tri::No;
  if (a.type() != b.type()) return Tri::No;
  if (a.is_wholly_known() && b.is_wholly_known() && a.cell() && a.cell() == b.cell()) return Tri::Yes;
  switch (a.kind()) {
    case Kind::Map:
      if (a.length() != b.length()) return Tri::No;
      for (size_t i = 0; i < a.length(); ++i)
        if (a.map_key(i) != b.map_key(i)) return Tri::No;
      return equal_objects(a, b);
    case Kind::Set:
      // An unknown element may turn out to be any of the others.
      for (const Value* v : {&a, &b})
        for (const Value& e : v->elements())
          if (e.is_unknown()) return Tri::Unknown;
      if (!a.is_wholly_known() || !b.is_wholly_known()) return Tri::No;
      return a.raw_equal(b) ? Tri::Yes : Tri::No;
    case Kind::Seq:
      if (a.length() != b.length()) return Tri::No;
      return equal_elements(a, b);
    case Kind::Obj:
      return equal_objects(a, b);
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  return a.raw_equal(b) ? Tri::Yes : Tri::No;
}

}  // namespace

Value equals(const Value& a, const Value& b) {
  Tri answer;
  Marks marks;
  if (!a.contains_marks() && !b.contains_marks()) {
    marks = 0;
    answer = equal_unmarked(a, b);
  } else {
    // Compared with null nothing inside matters, so marks inside do not either.
    marks = a.is_null() != b.is_null() ? a.marks() | b.marks() : a.deep_marks() | b.deep_marks();
    answer = equal_unmarked(a.unmark_deep(), b.unmark_deep());
  }
  Value r = answer == Tri::Unknown ? unknown_not_null(Type::boolean()) : Value::boolean(answer == Tri::Yes);
  return r.with_marks(marks);
}

}  // namespace xplan
