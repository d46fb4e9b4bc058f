// Object: a copy of an object value whose attributes are read and set by name; text(), and blank objects.
//
// Who calls it: authors of providers, to build states. Contract: setting an attribute that the object does
// not have does nothing and is told by false. A value set must be of the attribute's type (anything where
// that is dynamic). Cost: one vector of values; value() interns the type only when a dynamic attribute
// changed it. Thread-safety: plain data.
#pragma once
#include <string_view>
#include <vector>

#include "core/value/value.h"

namespace xplan::kit {

class Object {
 public:
  explicit Object(const Value& v);  // null or unknown: all attributes of its type, null
  static Object blank(Type t) { return Object(Value::null(t)); }
  const Value& get(std::string_view name) const;  // a null when there is no such attribute
  bool set(std::string_view name, Value v);
  bool set(std::string_view name, std::string_view text) { return set(name, Value::string(text)); }
  bool set(std::string_view name, const char* text) { return set(name, Value::string(text)); }
  Value value() const;

  // The text, or nothing when it is null, unknown or no text.
  std::string_view text(std::string_view name) const;
  bool is_set(std::string_view name) const;  // known and not null

 private:
  Type type_;
  std::vector<Value> attrs_;
};

}  // namespace xplan::kit
