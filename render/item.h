// Item: what a diff sees of a value: plain data, with what is unknown or sensitive noted beside it.
//
// Who calls it: diff.cc, diff_blocks.cc and the printer.
// Why not Value: a diff pairs values across types (a tuple beside a list, a JSON text beside another),
// compares them without their marks, and does so many times; an Item carries a hash and its number's text,
// and its members are sorted. JSON inside strings becomes Items too, so one algorithm serves both.
// Invariants: an unknown item has kind Null; equal() ignores sensitivity, takes an unknown member of an
// object for absent, and an unknown element of an array for null (which is how a plan with unknowns is
// compared). Cost: linear in the value; everything lives in an Arena and goes with it. Thread-safety:
// immutable once made; an Arena belongs to one thread.
#pragma once
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "core/base/json_reader.h"
#include "core/value/value.h"

namespace xplan::render {

using Arena = std::pmr::monotonic_buffer_resource;

template <class T>
T* arena_array(Arena& arena, size_t n) {  // of trivially destructible things
  return n ? static_cast<T*>(arena.allocate(n * sizeof(T), alignof(T))) : nullptr;
}

struct Item {
  enum class Kind : uint8_t { Missing, Null, Bool, Number, String, Array, Object };
  Kind kind = Kind::Missing;
  bool unknown = false, sensitive = false, truth = false;  // truth: of a Bool
  bool map = false;                                        // an Object whose keys are part of the value
  uint64_t hash = 0;
  std::string_view text;                   // of a String; of a Number: its digits
  std::span<const Item> items;             // of an Array, an Object
  std::span<const std::string_view> keys;  // of an Object, sorted by bytes

  bool nil() const { return kind <= Kind::Null; }
  bool is_array() const { return kind == Kind::Array; }
  bool is_object() const { return kind == Kind::Object; }
  const Item* find(std::string_view key) const;  // of an Object; null when absent
};
extern const Item kMissing;

Item make_item(const Value& v, Arena& arena);  // views the value's strings: it must outlive the item
Item make_item(const JsonNode& n, Arena& arena);
bool equal(const Item& a, const Item& b);

// The JSON object or array that a string holds. Null when it holds neither, or begins with whitespace.
const Item* parse_json_text(std::string_view text, Arena& arena);

}  // namespace xplan::render
