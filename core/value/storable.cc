// Replaces what a plan, a state or a provider cannot take: negative zero, infinities, unknown values.
#include "core/value/storable.h"

#include <algorithm>

namespace xplan {
namespace {

bool is_storable(const Value& v) {
  switch (v.kind()) {
    case Kind::Num:
      return !v.as_number().is_infinite() && !v.as_number().is_negative_zero();
    case Kind::Seq:
    case Kind::Set:
    case Kind::Map:
    case Kind::Obj:
      return std::all_of(v.elements().begin(), v.elements().end(), is_storable);
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  return true;
}

}  // namespace

Value storable_numbers(const Value& v, std::optional<Path>& infinite) {
  if (is_storable(v)) return v;
  return transform_value(v, [&](const Path& path, const Value& x) {
    if (!x.is_number()) return x;
    if (x.as_number().is_infinite()) {
      if (!infinite) infinite = path;
      return Value::null(x.type()).with_marks(x.marks());
    }
    return x.as_number().is_negative_zero() ? Value::number(0).with_marks(x.marks()) : x;
  });
}

Value unknown_as_null(const Value& v) {
  if (v.is_wholly_known()) return v;
  return transform_value(
      v, [](const Path&, const Value& x) { return x.is_unknown() ? Value::null(x.type()) : x; });
}

}  // namespace xplan
