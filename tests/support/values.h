// Types and values from JSON, for tests.
#pragma once
#include <catch2/catch.hpp>

#include "core/value/json.h"

namespace xplan::test {

inline Type type_of(std::string_view json) {
  Result<Type> t = parse_type_json(json);
  if (!t.ok()) FAIL(json << ": " << t.error().message);
  return *t;
}
inline Value natural(std::string_view json) {
  Result<Value> v = parse_json(json);
  if (!v.ok()) FAIL(json << ": " << v.error().message);
  return *v;
}

}  // namespace xplan::test
