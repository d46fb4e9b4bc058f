// Conversion of values between types, unification of types, and type constraints with optional attributes.
//
// Who calls it: eval (conditionals, collections, function arguments), config (variable types), schema
// (attribute types), functions, codecs. Rules (facts of the language): primitives convert to string and from
// canonical strings; tuple→list/set, object→map, list↔set, map→object; an unsafe conversion may fail by
// value; unknown converts to unknown of the new type keeping what refinements still hold; null converts to
// null. Marks stay where they are. Cost: no work when the type already fits (returns the same cell). Unifying
// n types costs O(distinct types) for types of one kind; paths are built only when something fails.
// Thread-safety: pure functions.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

// A type constraint as written in `type = …`: a Type plus, for object types, which attributes are optional
// and their defaults. `type` has all attributes. children: element constraint for collections (one child),
// element or attribute constraints for tuples and objects (in type order); empty where nothing below is
// optional.
struct TypeConstraint {
  Type type;
  std::vector<TypeConstraint> children;
  std::vector<bool> optional;   // objects: per attribute
  std::vector<Value> defaults;  // objects: per attribute; null of dynamic type where none is given
  bool has_optional() const;    // here or below
  std::string text() const;     // as it is written, without defaults: object({a=optional(number)})
};

struct ConversionError {
  Path path;                 // where inside the value
  std::string message;       // "expected number, but got list of string", …: a phrase without full stop
  std::string text() const;  // with the path in front when there is one
};

// Converts. On failure returns nothing and fills `error`. Converting to a type containing dynamic keeps the
// given types there; for collections of dynamic the elements are unified.
std::optional<Value> convert(const Value& v, Type to, ConversionError* error = nullptr);
// As a variable's value: puts defaults in the place of null or absent optional attributes (inside defaults
// too), drops superfluous attributes, converts. A value that is null or unknown as a whole gets no defaults.
std::optional<Value> convert(const Value& v, const TypeConstraint& to, ConversionError* error = nullptr);
// Judged by the types alone; an unsafe conversion may still fail by value. Every type converts to itself.
bool conversion_exists(Type from, Type to, bool unsafe_allowed = true);
std::string why_no_conversion(Type from, Type to);  // "the elements have no common type"

// The one type that all given types convert to; false when there is none. Dynamic among primitives adopts
// their type; dynamic among structures makes the whole dynamic. No types at all: dynamic.
bool unify(std::span<const Type> types, Type& out, bool unsafe_allowed = true);
// As unify, for values: converts each to the unified type; where that is dynamic they stay as they are.
bool unify_values(std::vector<Value>& values, Type& out, ConversionError* error = nullptr);
// The one type of the elements of a collection: nulls and unknowns of dynamic type are given the type of the
// others. False when the types differ. `element` is kept for no elements.
bool settle_elements(std::vector<Value>& elements, Type& element);

// Parses the JSON form of a type (schemas, state): "string", ["list","string"], ["object",{…},["optional"]].
// The names of optional attributes are read and dropped.
Result<Type> parse_type_json(std::string_view json);

}  // namespace xplan
