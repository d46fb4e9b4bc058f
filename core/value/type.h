// Type: a hash-consed type of the language, one integer wide.
//
// Who calls it: everything above value.
// Invariant: two Types are equal exactly when they denote the same type; an object type's attributes are
// sorted by name (bytes). Optional attributes occur only in type constraints (see TypeConstraint in
// convert.h), never in the type of a value, so they are no part of a Type.
// Cost: building a compound type hashes its parts once and takes one lock (list, set and map of a type that
// was built before: no lock); every query is a table load without locks; find_attr by Symbol is a scan of up
// to 16 integers, then a hash look-up; by text a binary search. Thread-safety: any function from any thread.
// Types live until the process ends.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/symbol.h"

namespace xplan {

enum class TypeKind : uint8_t { Dynamic, Bool, Number, String, List, Set, Map, Tuple, Object, Capsule };

// Everything that walks types and values recurses; makers of types from outside text refuse what is deeper.
inline constexpr uint32_t kMaxTypeDepth = 1000;

class Type {
 public:
  constexpr Type() = default;  // dynamic ("any")
  static constexpr Type dynamic() { return from_id(0); }
  static constexpr Type boolean() { return from_id(1); }
  static constexpr Type number() { return from_id(2); }
  static constexpr Type string() { return from_id(3); }
  static constexpr Type type_capsule() { return from_id(4); }  // the result of console's type()
  static Type list(Type element);
  static Type set(Type element);
  static Type map(Type element);
  static Type tuple(std::span<const Type> elements);
  static Type object(std::vector<std::pair<Symbol, Type>> attrs);  // any order, no duplicates

  TypeKind kind() const;
  bool is_dynamic() const { return id_ == 0; }
  bool is_primitive() const { return id_ >= 1 && id_ <= 3; }
  bool is_collection() const;  // list, set, map
  bool is_structural() const;  // tuple, object
  bool is_list() const { return kind() == TypeKind::List; }
  bool is_set() const { return kind() == TypeKind::Set; }
  bool is_map() const { return kind() == TypeKind::Map; }
  bool is_tuple() const { return kind() == TypeKind::Tuple; }
  bool is_object() const { return kind() == TypeKind::Object; }
  bool has_dynamic() const;  // dynamic anywhere inside
  uint32_t depth() const;    // nesting: 0 for primitives. Values recurse as deep as their type, so whoever
                             // makes types from user input keeps this small (see kMaxTypeDepth)

  Type element() const;                        // of list, set, map
  std::span<const Type> elements() const;      // of tuple; of object: attribute types in attribute order
  std::span<const Symbol> attr_names() const;  // of object, sorted by text
  int find_attr(Symbol name) const;            // index, or -1
  int find_attr(std::string_view name) const;

  std::string friendly_name() const;    // "list of string", "object", "any type", …  for messages
  std::string constraint_text() const;  // list(string), object({a=number}), any: expression syntax
  std::string json() const;  // "string", ["list","string"], ["object",{…}]: schema and state syntax

  constexpr uint32_t id() const { return id_; }
  static constexpr Type from_id(uint32_t id) {
    Type t;
    t.id_ = id;
    return t;
  }
  friend constexpr bool operator==(Type, Type) = default;

 private:
  uint32_t id_ = 0;
};

}  // namespace xplan

template <>
struct std::hash<xplan::Type> {
  size_t operator()(xplan::Type t) const noexcept { return t.id() * 0x9E3779B97F4A7C15ull >> 16; }
};
