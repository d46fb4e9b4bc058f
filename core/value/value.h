// Value: any value of the language: 16 bytes, immutable, cheap to copy.
//
// Who calls it: everything above value.
// Invariants:
//  - every value has a type; null and unknown values too (a null or unknown of dynamic type is allowed);
//  - marks (sensitive, ephemeral) are part of the value. A container's own marks are on the container, those
//  of
//    its elements on the elements; nothing is lifted or pushed down, except that a set lifts its elements'
//    marks to itself (a set cannot tell its elements apart otherwise);
//  - elements of a list, set or map all have exactly the element type, unless that is dynamic-free by
//    construction; object attributes are in the order of the type's attribute names (sorted by text);
//    map keys are sorted by bytes; set elements are unique and in iteration order;
//  - strings are NFC.
// Cost: copying is a pointer copy and one atomic increment (none for inline and immortal values); the deep
// facts (wholly known, marks below, written size, nesting) are computed once, when a container is built, so
// asking is O(1). Thread-safety: immutable, so values may be shared between threads.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/symbol.h"
#include "core/value/number.h"
#include "core/value/type.h"

namespace xplan {

// Marks are a bit set; the set of kinds is closed.
using Marks = uint16_t;
inline constexpr Marks kSensitive = 1, kEphemeral = 2;

enum class Kind : uint8_t { Null, Unknown, Bool, Int, Num, Str, Seq, Set, Map, Obj, TypeVal };
// Seq: list or tuple. Int and Num: numbers (use number()). TypeVal: a Type as a value (console's type()).

struct Cell;  // reference-counted payload, see cell.h

// What is known of an unknown value. Default: nothing.
struct Refinement {
  bool not_null = false;
  std::string prefix;  // of a string; empty: none
  bool has_lower = false, has_upper = false, lower_inclusive = true, upper_inclusive = true;
  Number lower, upper;                             // of a number
  int64_t min_length = 0, max_length = INT64_MAX;  // of a collection
  bool trivial() const {
    return !not_null && prefix.empty() && !has_lower && !has_upper && min_length == 0 &&
           max_length == INT64_MAX;
  }
  friend bool operator==(const Refinement&, const Refinement&) = default;
};

class Value {
 public:
  Value();  // null of dynamic type
  static Value null(Type t = Type::dynamic());
  static Value unknown(Type t = Type::dynamic());
  // Refined unknown. May give a known value when the refinement leaves only one (null, an exact number, an
  // empty collection). Refinements that do not apply to the type are dropped.
  static Value unknown(Type t, const Refinement& r);
  static Value boolean(bool b);
  static Value number(const Number& n);
  static Value number(int64_t n) { return number(Number(n)); }
  static Value string(std::string_view s);      // normalizes to NFC
  static Value string_nfc(std::string_view s);  // caller knows it is NFC
  static Value type_value(Type t);
  static Value list(Type element, std::vector<Value> elements);  // elements already of the element type
  static Value tuple(std::vector<Value> elements);
  static Value set(Type element, std::vector<Value> elements);  // sorts, drops duplicates; lifts marks
  static Value map(Type element,
                   std::vector<std::pair<std::string, Value>> entries);  // any order; last key wins
  static Value object(std::vector<std::pair<Symbol, Value>> attrs);      // any order; type from the values
  static Value object(Type t, std::vector<Value> attrs);                 // in the order of t.attr_names()

  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  Kind kind() const { return kind_; }
  Type type() const { return type_; }
  bool is_null() const { return kind_ == Kind::Null; }
  bool is_unknown() const { return kind_ == Kind::Unknown; }
  bool is_known() const { return kind_ != Kind::Unknown; }
  bool is_wholly_known() const { return !(facts_ & kHasUnknown); }
  bool is_bool() const { return kind_ == Kind::Bool; }
  bool is_number() const { return kind_ == Kind::Int || kind_ == Kind::Num; }
  bool is_string() const { return kind_ == Kind::Str; }
  bool is_true() const { return kind_ == Kind::Bool && bool_; }
  bool is_false() const { return kind_ == Kind::Bool && !bool_; }

  // Accessors; the caller has checked the kind.
  bool as_bool() const { return bool_; }
  Number as_number() const;
  std::string_view as_string() const;
  Type as_type() const;
  size_t length() const;                       // elements of Seq, Set, Map, Obj
  std::span<const Value> elements() const;     // of Seq, Set, Obj (attribute order), Map (key order)
  std::string_view map_key(size_t i) const;    // of Map
  const Value& map_key_value(size_t i) const;  // of Map: the key as a string value
  Value attr(std::string_view name) const;     // of Obj: the attribute; precondition: it exists. Own marks of
  Value attr(Symbol name) const;               //   the object are NOT added (see with_marks).
  const Value* find_attr(std::string_view name) const;  // of Obj: null when absent
  const Value* find_key(std::string_view key) const;    // of Map: null when absent
  const Refinement& refinement() const;                 // of Unknown; a trivial one when there is none
  bool is_definitely_not_null() const;                  // known and not null, or refined so

  // Marks.
  Marks marks() const { return marks_; }  // own
  bool has_mark(Marks m) const { return marks_ & m; }
  bool contains_marks() const { return marks_ || (facts_ & kMarksBelow); }  // O(1), deep
  Marks deep_marks() const;                                                 // union over the whole value
  Value with_marks(Marks m) const;                                          // own |= m
  Value without_own_marks() const;
  Value unmark_deep() const;  // a copy without any mark (shares what has none)

  // Structural equality: same type, same content, same marks and refinements; two equal unknowns are
  // raw-equal. For the language's == see equals().
  bool raw_equal(const Value& other) const;
  // How many values it has with all that it contains, itself included, shared parts each time; long strings
  // and numbers count as several, by their length. At most UINT32_MAX. O(1).
  size_t written_size() const;
  // How many values that are not empty are within each other, itself included; 0 if it contains none. O(1).
  size_t nesting() const;
  size_t hash() const;  // consistent with raw_equal, marks ignored

  // For cells and builders only.
  uint8_t facts() const { return facts_; }
  const Cell* cell() const { return has_cell() ? cell_ : nullptr; }
  // A deep copy that is never counted and never freed: for literals, defaults and schemas.
  Value immortal() const;

  static constexpr uint8_t kHasUnknown = 1, kMarksBelow = 2, kCounted = 4, kNarrow = 8, kUnknownRefined = 16,
                           kDouble = 32;  // kNarrow, kDouble: the precision of an Int

 private:
  friend struct ValueAccess;
  // A cell may still be null: empty strings and empty containers have none.
  bool has_cell() const { return (kind_ >= Kind::Num && kind_ <= Kind::Obj) || (facts_ & kUnknownRefined); }
  Kind kind_ = Kind::Null;
  uint8_t facts_ = 0;  // kCounted: cell_ is reference-counted (not immortal)
  Marks marks_ = 0;
  Type type_;
  union {
    bool bool_;
    int64_t int_;
    const Cell* cell_;
  };
};
static_assert(sizeof(Value) == 16, "values are copied by the million; a third word costs half the speed");

// Iterates map/object/list uniformly: calls f(key, element) where key is a Value (string or number; for sets
// the element itself). Values without elements: nothing.
template <class F>
void for_each_element(const Value& v, F f);

// Language equality: unknown bool when it depends on unknowns; unifies nothing (types must agree, otherwise
// the result is false unless one is dynamic/unknown; nulls of any type are equal). Refinements can decide it.
// Deep marks of both are joined on the result; only own marks when exactly one side is null.
Value equals(const Value& a, const Value& b);

// The order in which a set iterates (see set_order.cc for the rules and their source).
bool set_less(const Value& a, const Value& b);

}  // namespace xplan

#include "core/value/value_inl.h"
