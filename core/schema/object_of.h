// object_of: an object with the attributes of a schema's type and the types of its own values.
//
// Who calls it: schema, provider/builtin, plan. A schema's attribute of dynamic type takes values of any
// type; the object's type then says what it holds, as the language expects of `==`, type() and conversions.
// Cost: nothing beyond Value::object when the shape has no dynamic part; otherwise one type look-up.
// Thread-safety: pure.
#pragma once
#include <utility>
#include <vector>

#include "core/value/value.h"

namespace xplan::schema {

inline Value object_of(Type shape, std::vector<Value> attrs) {
  if (!shape.has_dynamic()) return Value::object(shape, std::move(attrs));
  std::vector<std::pair<Symbol, Type>> parts;
  auto names = shape.attr_names();
  parts.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) parts.emplace_back(names[i], attrs[i].type());
  return Value::object(Type::object(std::move(parts)), std::move(attrs));
}

}  // namespace xplan::schema
