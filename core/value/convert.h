// Conversion of values between types, unification of types, and type constraints with optional attributes.
//
// Who calls it: eval (conditionals, collections, function arguments), config (variable types), schema (attribute
// types), functions.
// Rules (facts of the language): primitives convert to string and from canonical strings; tuple→list/set,
// object→map, list↔set, map→object; an unsafe conversion may fail by value; unknown converts to unknown of the
// new type keeping what refinements still hold; null converts to null. Marks stay where they are.
// Cost: no work when the type already fits (returns the same cell).  Thread-safety: pure functions.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

// A type constraint as written in `type = …`: a Type plus, for object types, which attributes are optional and
// their defaults. `type` has all attributes. children: element constraint for collections (one child), element
// or attribute constraints for tuples and objects (in type order).
struct TypeConstraint {
  Type type;
  std::vector<TypeConstraint> children;
  std::vector<bool> optional;             // objects: per attribute
  std::vector<Value> defaults;            // objects: per attribute; null of dynamic type where none is given
  bool has_optional() const;
};

struct ConversionError {
  Path path;            // where inside the value
  std::string message;  // "a number is required", "attribute \"x\" is required", …: a phrase without full stop
  std::string text() const;
};

// Converts. On failure returns nothing and fills `error`. Converting to a type containing dynamic keeps the given
// types there; for collections of dynamic the elements are unified.
std::optional<Value> convert(const Value& v, Type to, ConversionError* error = nullptr);
// As a variable's value: applies defaults of optional attributes, drops surplus attributes, then converts.
std::optional<Value> convert(const Value& v, const TypeConstraint& to, ConversionError* error = nullptr);
bool conversion_exists(Type from, Type to, bool unsafe_allowed = true);
// The one type that all given types convert to safely (false when there is none). Dynamic in, dynamic out.
bool unify(std::span<const Type> types, Type& out);
// As unify, for values: converts each to the unified type.
bool unify_values(std::vector<Value>& values, Type& out);
// Parses the JSON form of a type (schemas, state): "string", ["list","string"], ["object",{…},["optional"]].
Result<Type> parse_type_json(std::string_view json);

}  // namespace xplan
