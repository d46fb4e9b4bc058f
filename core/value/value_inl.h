// The inline part of Value: copying, moving, destroying, plain accessors, and for_each_element.
//
// Who calls it: included at the end of value.h only.
// Why inline: values are copied by the million, and most copies (inline or immortal payload) are 16 bytes and
// a test of one bit. Cost and thread-safety: as value.h.
#pragma once
#include "core/base/check.h"
#include "core/value/cell.h"

namespace xplan {

// Builds values from parts; for the files of this folder only.
struct ValueAccess {
  static Value make(Kind kind, uint8_t facts, Type type, const Cell* cell) {
    Value v;
    v.kind_ = kind;
    v.facts_ = facts;
    v.type_ = type;
    v.cell_ = cell;
    return v;
  }
  static void set_int(Value& v, int64_t n) { v.int_ = n; }
  static void set_bool(Value& v, bool b) { v.bool_ = b; }
  static void set_marks(Value& v, Marks m) { v.marks_ = m; }
  static void set_facts(Value& v, uint8_t f) { v.facts_ = f; }
  static int64_t get_int(const Value& v) { return v.int_; }
  static const Value* elements(const Cell* c) { return reinterpret_cast<const Value*>(c + 1); }
  static void destroy(Kind kind, const Cell* cell);  // the last count is gone
};

inline Value::Value() : cell_(nullptr) {}
inline Value::Value(const Value& o)
    : kind_(o.kind_), facts_(o.facts_), marks_(o.marks_), type_(o.type_), cell_(o.cell_) {
  if (facts_ & kCounted) cell_->retain();
}
inline Value::Value(Value&& o) noexcept
    : kind_(o.kind_), facts_(o.facts_), marks_(o.marks_), type_(o.type_), cell_(o.cell_) {
  o.kind_ = Kind::Null;
  o.facts_ = 0;
  o.marks_ = 0;
  o.type_ = Type();
  o.cell_ = nullptr;
}
inline Value& Value::operator=(const Value& o) {
  Value copy(o);
  return *this = std::move(copy);
}
inline Value& Value::operator=(Value&& o) noexcept {
  std::swap(kind_, o.kind_);
  std::swap(facts_, o.facts_);
  std::swap(marks_, o.marks_);
  std::swap(type_, o.type_);
  std::swap(cell_, o.cell_);
  return *this;
}
inline Value::~Value() {
  if ((facts_ & kCounted) && cell_->release()) ValueAccess::destroy(kind_, cell_);
}

inline Value Value::null(Type t) {
  return ValueAccess::make(Kind::Null, 0, t, nullptr);
}
inline Value Value::unknown(Type t) {
  return ValueAccess::make(Kind::Unknown, kHasUnknown, t, nullptr);
}
inline Value Value::boolean(bool b) {
  Value v = ValueAccess::make(Kind::Bool, 0, Type::boolean(), nullptr);
  v.bool_ = b;
  return v;
}

inline std::string_view Value::as_string() const {
  XPLAN_CHECK(kind_ == Kind::Str || kind_ <= Kind::Unknown);  // null and unknown: as if empty
  return kind_ == Kind::Str && cell_
             ? std::string_view(reinterpret_cast<const char*>(cell_ + 1), cell_->count)
             : std::string_view("");
}
inline size_t Value::length() const {
  return has_cell() && kind_ >= Kind::Seq && cell_ ? cell_->count : 0;
}
inline std::span<const Value> Value::elements() const {
  size_t n = length();
  return n ? std::span<const Value>(ValueAccess::elements(cell_), n) : std::span<const Value>();
}
inline const Value& Value::map_key_value(size_t i) const {
  XPLAN_CHECK(kind_ == Kind::Map && i < length());
  return ValueAccess::elements(cell_)[cell_->count + i];
}
inline std::string_view Value::map_key(size_t i) const {
  return map_key_value(i).as_string();
}
inline Value Value::with_marks(Marks m) const {
  Value v(*this);
  v.marks_ |= m;
  return v;
}
inline Value Value::without_own_marks() const {
  Value v(*this);
  v.marks_ = 0;
  return v;
}

template <class F>
void for_each_element(const Value& v, F f) {
  std::span<const Value> elements = v.elements();
  switch (v.kind()) {
    case Kind::Seq:
      for (size_t i = 0; i < elements.size(); ++i) f(Value::number(static_cast<int64_t>(i)), elements[i]);
      return;
    case Kind::Set:
      for (const Value& e : elements) f(e, e);
      return;
    case Kind::Map:
      for (size_t i = 0; i < elements.size(); ++i) f(v.map_key_value(i), elements[i]);
      return;
    case Kind::Obj: {
      std::span<const Symbol> names = v.type().attr_names();
      for (size_t i = 0; i < elements.size(); ++i) f(Value::string_nfc(names[i].sv()), elements[i]);
      return;
    }
    case Kind::Null:
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::TypeVal:
      return;
  }
}

}  // namespace xplan
