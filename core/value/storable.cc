// Replaces negative zero and finds infinities in a value before it goes into a plan, a state or a provider
// call.
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
    default:
      return true;
  }
}

}  // namespace

Value storable_numbers(const Value& v, std::optional<Path>& infinite) {
  if (is_storable(v)) return v;
  return transform_value(v, [&](const Path& path, const Value& x) {
    if (!x.is_number()) return x;
    if (x.as_number().is_infinite() && !infinite) infinite = path;
    return x.as_number().is_negative_zero() ? Value::number(0).with_marks(x.marks()) : x;
  });
}

}  // namespace xplan
