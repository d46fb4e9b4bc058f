// Values: building and freeing cells (iteratively when deep), facts and marks, element access, raw equality,
// hashing, immortal copies. The language's == is in value_equals.cc.
#include "core/value/value.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "core/base/check.h"
#include "core/base/memory.h"
#include "core/base/utf8.h"
#include "core/value/number_cell.h"
#include "core/value/refine.h"
#include "core/value/set_order.h"

namespace xplan {
namespace {

struct RefinementCell : Cell {
  Refinement refinement;
};

constexpr uint8_t kDeep = Value::kHasUnknown | Value::kMarksBelow;

Cell* allocate(size_t payload, size_t count) {
  if (count > UINT32_MAX) throw std::bad_alloc();
  void* memory = take_memory(sizeof(Cell) + payload);
  auto* cell = new (memory) Cell;
  cell->count = static_cast<uint32_t>(count);
  return cell;
}

Value* slots(Cell* cell) {
  return reinterpret_cast<Value*>(cell + 1);
}

uint8_t deep_facts(const Value& v) {
  return (v.facts() & kDeep) | (v.marks() ? Value::kMarksBelow : 0);
}

// Behind the elements and keys of a container: its written_size() and nesting().
struct Extent {
  uint32_t size, nesting;
};

Extent* extent(Cell* cell, Kind kind) {
  return reinterpret_cast<Extent*>(slots(cell) + size_t{cell->count} * (kind == Kind::Map ? 2 : 1));
}

// Moves the elements (and, for maps, the keys behind them) into a new cell.
Value container(Kind kind, Type type, std::span<Value> elements, std::span<Value> keys = {}) {
  if (elements.empty()) return ValueAccess::make(kind, 0, type, nullptr);
  Cell* cell = allocate((elements.size() + keys.size()) * sizeof(Value) + sizeof(Extent), elements.size());
  Value* to = slots(cell);
  uint8_t facts = Value::kCounted;
  size_t size = 1, nesting = 0;
  for (Value& e : elements) {
    facts |= deep_facts(e);
    size += e.written_size();
    nesting = std::max(nesting, e.nesting());
    new (to++) Value(std::move(e));
  }
  for (Value& k : keys) {
    size += k.written_size() - 1;
    new (to++) Value(std::move(k));
  }
  new (extent(cell, kind))
      Extent{static_cast<uint32_t>(std::min<size_t>(size, UINT32_MAX)), static_cast<uint32_t>(nesting + 1)};
  return ValueAccess::make(kind, facts, type, cell);
}

// ---- freeing

// Elements are freed through ~Value and so recursively; from this depth on they wait in a list instead, so
// that a chain of nested values cannot exhaust the stack.
constexpr int kFreeDepth = 200;
thread_local int free_depth = 0;
struct Waiting {
  Kind kind;
  const Cell* cell;
};
thread_local std::vector<Waiting>* waiting = nullptr;

void free_cell(Kind kind, const Cell* cell) {
  auto* c = const_cast<Cell*>(cell);
  switch (kind) {
    case Kind::Num:
      NumCell::free(static_cast<NumCell*>(c));
      return;
    case Kind::Unknown:
      delete static_cast<RefinementCell*>(c);
      return;
    case Kind::Seq:
    case Kind::Set:
    case Kind::Obj:
    case Kind::Map: {
      size_t n = size_t{c->count} * (kind == Kind::Map ? 2 : 1);
      std::destroy_n(slots(c), n);
      break;
    }
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Str:
    case Kind::TypeVal:
      break;
  }
  std::free(c);
}

// Immortal memory stays reachable, so that leak checkers and people can see that it is meant.
struct Immortals {
  std::mutex lock;
  std::vector<const Cell*> cells;
};
void make_immortal(const Cell* cell) {
  static Immortals* const all = new Immortals;
  cell->refs.store(Cell::kImmortal, std::memory_order_relaxed);
  std::lock_guard lock(all->lock);
  all->cells.push_back(cell);
}

Value copy_with(const Value& v, Kind kind, std::vector<Value> elements) {
  std::vector<Value> keys;
  if (kind == Kind::Map) {
    keys.reserve(v.length());
    for (size_t i = 0; i < v.length(); ++i) keys.push_back(v.map_key_value(i));
  }
  Value r = container(kind, v.type(), elements, keys);
  ValueAccess::set_marks(r, v.marks());
  return r;
}

const Refinement& trivial_refinement() {
  static const Refinement* const it = new Refinement;
  return *it;
}

size_t mix_hash(size_t h, size_t v) {
  return (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29);
}

}  // namespace

void ValueAccess::destroy(Kind kind, const Cell* cell) {
  if (free_depth >= kFreeDepth) {
    if (!waiting) waiting = new std::vector<Waiting>;
    waiting->push_back({kind, cell});
    return;
  }
  ++free_depth;
  free_cell(kind, cell);
  --free_depth;
  if (free_depth == 0 && waiting) {
    std::vector<Waiting>* list = std::exchange(waiting, nullptr);
    free_depth = 1;  // what gets deep again is put on a new list, drained below
    while (list) {
      for (const Waiting& w : *list) free_cell(w.kind, w.cell);
      delete list;
      list = std::exchange(waiting, nullptr);
    }
    free_depth = 0;
  }
}

// ---- making

Value Value::unknown(Type t, const Refinement& given) {
  if (t.is_dynamic() || given.trivial()) return unknown(t);
  Refinement r;
  r.not_null = given.not_null;
  if (t == Type::string()) {
    r.prefix = nfc(given.prefix);
  } else if (t == Type::number()) {
    // An infinite bound says nothing.
    r.has_lower = given.has_lower && !(given.lower.is_infinite() && given.lower.sign() < 0);
    r.has_upper = given.has_upper && !(given.upper.is_infinite() && given.upper.sign() > 0);
    if (r.has_lower) r.lower = given.lower, r.lower_inclusive = given.lower_inclusive;
    if (r.has_upper) r.upper = given.upper, r.upper_inclusive = given.upper_inclusive;
    if (r.not_null && r.has_lower && r.has_upper && r.lower_inclusive && r.upper_inclusive &&
        r.lower == r.upper)
      return number(r.lower);
  } else if (t.is_collection()) {
    r.min_length = std::max<int64_t>(given.min_length, 0);
    r.max_length = given.max_length;
    // A list of known length is known, only its elements are not. The limit keeps a number in hostile input
    // from becoming a gigabyte of elements.
    constexpr int64_t kExpand = 1 << 16;
    if (r.not_null && r.min_length == r.max_length) {
      auto n = static_cast<size_t>(r.min_length);
      if (n == 0) return container(t.is_list() ? Kind::Seq : t.is_set() ? Kind::Set : Kind::Map, t, {});
      std::vector<Value> elements(r.min_length <= kExpand ? n : 0, unknown(t.element()));
      if (t.is_list() && r.min_length <= kExpand) return container(Kind::Seq, t, elements);
      if (t.is_set() && n == 1) return container(Kind::Set, t, elements);
    }
  }
  if (r.trivial()) return unknown(t);
  auto* cell = new RefinementCell;
  cell->refinement = std::move(r);
  return ValueAccess::make(Kind::Unknown, kHasUnknown | kUnknownRefined | kCounted, t, cell);
}

Value Value::number(const Number& n) {
  if (!n.is_int64()) {
    const NumCell* cell = Number(n).release();
    return ValueAccess::make(Kind::Num, cell->immortal() ? 0 : kCounted, Type::number(), cell);
  }
  uint8_t precision = n.precision() == Precision::Wide     ? 0
                      : n.precision() == Precision::Narrow ? kNarrow
                                                           : kDouble;
  Value v = ValueAccess::make(Kind::Int, precision, Type::number(), nullptr);
  v.int_ = n.int64();
  return v;
}

Value Value::string(std::string_view s) {
  return is_nfc_quick(s) ? string_nfc(s) : string_nfc(nfc(s));
}

Value Value::string_nfc(std::string_view s) {
  if (s.empty()) return ValueAccess::make(Kind::Str, 0, Type::string(), nullptr);
  Cell* cell = allocate(s.size() + 1, s.size());
  char* text = reinterpret_cast<char*>(cell + 1);
  std::memcpy(text, s.data(), s.size());
  text[s.size()] = 0;
  return ValueAccess::make(Kind::Str, kCounted, Type::string(), cell);
}

Value Value::type_value(Type t) {
  Value v = ValueAccess::make(Kind::TypeVal, 0, Type::type_capsule(), nullptr);
  v.int_ = t.id();
  return v;
}

Value Value::list(Type element, std::vector<Value> elements) {
  return container(Kind::Seq, Type::list(element), elements);
}

Value Value::tuple(std::vector<Value> elements) {
  std::vector<Type> types;
  types.reserve(elements.size());
  for (const Value& e : elements) types.push_back(e.type_);
  return container(Kind::Seq, Type::tuple(types), elements);
}

Value Value::set(Type element, std::vector<Value> elements) {
  Marks marks = 0;
  for (Value& e : elements) {
    if (!e.contains_marks()) continue;
    marks |= e.deep_marks();
    e = e.unmark_deep();
  }
  order_set(element, elements);
  Value v = container(Kind::Set, Type::set(element), elements);
  v.marks_ = marks;
  return v;
}

Value Value::map(Type element, std::vector<std::pair<std::string, Value>> entries) {
  for (auto& [key, value] : entries)
    if (!is_nfc_quick(key)) key = nfc(key);
  auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(entries.begin(), entries.end(), less))
    std::stable_sort(entries.begin(), entries.end(), less);
  std::vector<Value> keys, values;
  keys.reserve(entries.size());
  values.reserve(entries.size());
  for (auto& [key, value] : entries) {
    if (!keys.empty() && keys.back().as_string() == key) {
      values.back() = std::move(value);
      continue;
    }
    keys.push_back(string_nfc(key));
    values.push_back(std::move(value));
  }
  return container(Kind::Map, Type::map(element), values, keys);
}

Value Value::object(std::vector<std::pair<Symbol, Value>> attrs) {
  auto less = [](const auto& a, const auto& b) { return SymbolTextLess()(a.first, b.first); };
  if (!std::is_sorted(attrs.begin(), attrs.end(), less)) std::stable_sort(attrs.begin(), attrs.end(), less);
  std::vector<std::pair<Symbol, Type>> types;
  std::vector<Value> values;
  types.reserve(attrs.size());
  values.reserve(attrs.size());
  for (auto& [name, value] : attrs) {
    if (!types.empty() && types.back().first == name) {  // the last one wins, as in maps
      types.back().second = value.type_;
      values.back() = std::move(value);
      continue;
    }
    types.emplace_back(name, value.type_);
    values.push_back(std::move(value));
  }
  Type t = Type::object(std::move(types));
  return container(Kind::Obj, t, values);
}

Value Value::object(Type t, std::vector<Value> attrs) {
  return container(Kind::Obj, t, attrs);
}

// ---- asking

Number Value::as_number() const {
  XPLAN_CHECK(is_number());
  if (kind_ == Kind::Num) return Number::share(static_cast<const NumCell*>(cell_));
  return Number(int_, facts_ & kDouble   ? Precision::Double
                      : facts_ & kNarrow ? Precision::Narrow
                                         : Precision::Wide);
}

Type Value::as_type() const {
  return Type::from_id(static_cast<uint32_t>(int_));
}

Value Value::attr(std::string_view name) const {
  const Value* found = find_attr(name);
  XPLAN_CHECK(found != nullptr);
  return *found;
}
Value Value::attr(Symbol name) const {
  const int i = kind_ == Kind::Obj ? type_.find_attr(name) : -1;
  XPLAN_CHECK(i >= 0);
  return elements()[static_cast<size_t>(i)];
}

const Value* Value::find_attr(std::string_view name) const {
  if (kind_ != Kind::Obj) return nullptr;
  int i = type_.find_attr(name);
  return i < 0 ? nullptr : &elements()[static_cast<size_t>(i)];
}

const Value* Value::find_key(std::string_view key) const {
  size_t lo = 0, hi = kind_ == Kind::Map ? length() : 0, end = hi;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (map_key(mid) < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < end && map_key(lo) == key ? &elements()[lo] : nullptr;
}

const Refinement& Value::refinement() const {
  return kind_ == Kind::Unknown && (facts_ & kUnknownRefined)
             ? static_cast<const RefinementCell*>(cell_)->refinement
             : trivial_refinement();
}

bool Value::is_definitely_not_null() const {
  return kind_ == Kind::Unknown ? refinement().not_null : kind_ != Kind::Null;
}

// ---- marks

Marks Value::deep_marks() const {
  Marks m = marks_;
  if (facts_ & kMarksBelow)
    for (const Value& e : elements()) m |= e.deep_marks();
  return m;
}

Value Value::unmark_deep() const {
  if (!(facts_ & kMarksBelow)) return without_own_marks();
  std::vector<Value> elements;
  elements.reserve(length());
  for (const Value& e : this->elements()) elements.push_back(e.contains_marks() ? e.unmark_deep() : e);
  return copy_with(without_own_marks(), kind_, std::move(elements));
}

// ---- equality and hash

bool Value::raw_equal(const Value& o) const {
  if (type_ != o.type_ || marks_ != o.marks_) return false;
  if (is_number() && o.is_number())
    return kind_ == Kind::Int && o.kind_ == Kind::Int ? int_ == o.int_ : as_number() == o.as_number();
  if (kind_ != o.kind_ || (facts_ & kDeep) != (o.facts_ & kDeep)) return false;
  switch (kind_) {
    case Kind::Null:
      return true;
    case Kind::Unknown:
      return (facts_ & kUnknownRefined) == (o.facts_ & kUnknownRefined) && refinement() == o.refinement();
    case Kind::Bool:
      return bool_ == o.bool_;
    case Kind::TypeVal:
      return int_ == o.int_;
    case Kind::Str:
      return as_string() == o.as_string();
    case Kind::Int:
    case Kind::Num:
      return false;
    case Kind::Map:
    case Kind::Seq:
    case Kind::Set:
    case Kind::Obj:
      break;
  }
  if (cell_ == o.cell_) return true;
  size_t n = length();
  if (n != o.length()) return false;
  const Value *a = elements().data(), *b = o.elements().data();
  if (kind_ == Kind::Map) {
    for (size_t i = 0; i < n; ++i)
      if (map_key(i) != o.map_key(i)) return false;
  }
  for (size_t i = 0; i < n; ++i)
    if (!a[i].raw_equal(b[i])) return false;
  return true;
}

size_t Value::hash() const {
  size_t h = mix_hash(type_.id(), is_number() ? 0 : static_cast<size_t>(kind_) + 1);
  switch (kind_) {
    case Kind::Null:
    case Kind::Unknown:
      return h;
    case Kind::Bool:
      return mix_hash(h, bool_);
    case Kind::TypeVal:
    case Kind::Int:
      return mix_hash(h, std::hash<int64_t>()(int_));
    case Kind::Num:
      return mix_hash(h, as_number().hash());
    case Kind::Str:
      return mix_hash(h, std::hash<std::string_view>()(as_string()));
    case Kind::Map:
      for (size_t i = 0; i < length(); ++i) h = mix_hash(h, std::hash<std::string_view>()(map_key(i)));
      [[fallthrough]];
    case Kind::Seq:
    case Kind::Set:
    case Kind::Obj:
      for (const Value& e : elements()) h = mix_hash(h, e.hash());
      return h;
  }
  return h;
}

size_t Value::written_size() const {
  constexpr size_t kBytes = 32;  // of text, as much as an element
  if (length()) return extent(const_cast<Cell*>(cell_), kind_)->size;
  if (kind_ == Kind::Str) return 1 + as_string().size() / kBytes;
  if (kind_ == Kind::Num) return 1 + static_cast<const NumCell*>(cell_)->about_digits() / kBytes;
  return 1;
}

size_t Value::nesting() const {
  return length() ? extent(const_cast<Cell*>(cell_), kind_)->nesting : 0;
}

Value Value::immortal() const {
  if (!(facts_ & kCounted)) return *this;
  Value r;
  if (kind_ == Kind::Str) {
    r = string_nfc(as_string());
  } else if (kind_ == Kind::Unknown) {
    r = unknown(type_, refinement());
  } else if (kind_ == Kind::Num) {
    Number n = as_number();
    FloatView from(n);
    NumCell* cell = NumCell::make(mpfr_get_prec(from));
    mpfr_set(cell->v, from, MPFR_RNDN);
    r = ValueAccess::make(Kind::Num, kCounted, type_, cell);
  } else {
    std::vector<Value> copies, keys;
    for (const Value& e : elements()) copies.push_back(e.immortal());
    if (kind_ == Kind::Map)
      for (size_t i = 0; i < length(); ++i) keys.push_back(map_key_value(i).immortal());
    r = container(kind_, type_, copies, keys);
  }
  make_immortal(r.cell_);
  r.facts_ &= static_cast<uint8_t>(~kCounted);
  r.marks_ = marks_;
  return r;
}

}  // namespace xplan
