// Orders the elements of sets and removes duplicates.
#include "core/value/set_order.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "core/base/quote.h"

// The order shows in plans, so it is the one the reference tools have:
//  - primitives: known before unknown before null; false before true, numbers by value (-0 before 0, both
//  kept),
//    strings by bytes;
//  - everything else: by the bytes of a string made of the element: `?` unknown, `~` null, numbers in %.10g
//  form,
//    T and F, quoted strings, <…;> for objects and tuples, […;] for lists and sets, {key:value;} for maps. So
//    10 comes before 9, and an object's attributes count in the order of their names;
//  - elements that tie keep the order in which they were given.
// Two elements are the same when they are known to be equal; unknown ones never are.

namespace xplan {
namespace {

int rank(const Value& v) {
  return v.is_null() ? 2 : v.is_unknown() ? 1 : 0;
}

bool primitive_less(const Value& a, const Value& b) {
  int ra = rank(a), rb = rank(b);
  if (ra != rb || ra != 0) return ra < rb;
  if (a.is_string()) return a.as_string() < b.as_string();
  if (a.is_bool()) return !a.as_bool() && b.as_bool();
  if (a.kind() == Kind::Int && b.kind() == Kind::Int)
    return ValueAccess::get_int(a) < ValueAccess::get_int(b);
  Number x = a.as_number(), y = b.as_number();
  auto order = x <=> y;
  if (order != 0) return order < 0;
  return x.is_negative_zero() && !y.is_negative_zero();
}

bool same_primitive(const Value& a, const Value& b) {
  if (a.is_unknown() || !a.raw_equal(b)) return false;
  return !a.is_number() || a.as_number().is_negative_zero() == b.as_number().is_negative_zero();
}

struct Keyed {
  std::string key;
  Value value;
};

// Within a run of equal keys: keeps the first of each group of equal values. Keys of equal text mostly belong
// to equal values (numbers may differ after the tenth digit), so the buckets are small.
void append_unique(std::vector<Value>& out, Keyed* first, Keyed* last) {
  std::unordered_multimap<size_t, size_t> seen;  // hash → position in out
  for (; first != last; ++first) {
    Value& v = first->value;
    if (v.is_wholly_known()) {
      size_t h = v.hash();
      auto [lo, hi] = seen.equal_range(h);
      if (std::any_of(lo, hi, [&](const auto& s) { return out[s.second].raw_equal(v); })) continue;
      seen.emplace(h, out.size());
    }
    out.push_back(std::move(v));
  }
}

// In %.10g form, too, integers of ten digits have no exponent.
bool append_short_int(std::string& out, int64_t n) {
  if (n <= -10'000'000'000 || n >= 10'000'000'000) return false;
  char buffer[16];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, n).ptr);
  return true;
}

}  // namespace

void append_set_key(std::string& out, const Value& v) {
  switch (v.kind()) {
    case Kind::Unknown:
      out += '?';
      return;
    case Kind::Null:
      out += '~';
      return;
    case Kind::Bool:
      out += v.as_bool() ? 'T' : 'F';
      return;
    case Kind::Str:
      append_quoted(out, v.as_string(), Quoting::Debug);
      return;
    case Kind::TypeVal:
      out += "\xC2\xAB?\xC2\xBB";
      return;
    case Kind::Int:
      if (append_short_int(out, ValueAccess::get_int(v))) return;
      [[fallthrough]];
    case Kind::Num:
      out += v.as_number().text_format('g', 10);
      return;
    case Kind::Map:
      out += '{';
      for (size_t i = 0; i < v.length(); ++i) {
        append_quoted(out, v.map_key(i), Quoting::Debug);
        out += ':';
        append_set_key(out, v.elements()[i]);
        out += ';';
      }
      out += '}';
      return;
    case Kind::Seq:
    case Kind::Set:
    case Kind::Obj: {
      bool angles = v.type().is_structural();
      out += angles ? '<' : '[';
      for (const Value& e : v.elements()) {
        append_set_key(out, e);
        out += ';';
      }
      out += angles ? '>' : ']';
      return;
    }
  }
}

void order_set(Type element, std::vector<Value>& elements) {
  if (elements.size() < 2) return;
  if (element.is_primitive()) {
    if (!std::is_sorted(elements.begin(), elements.end(), primitive_less))
      std::stable_sort(elements.begin(), elements.end(), primitive_less);
    elements.erase(std::unique(elements.begin(), elements.end(), same_primitive), elements.end());
    return;
  }
  std::vector<Keyed> keyed;
  keyed.reserve(elements.size());
  for (Value& e : elements) {
    std::string key(e.is_null() ? "2" : e.is_unknown() ? "1" : "0");
    append_set_key(key, e);
    keyed.push_back({std::move(key), std::move(e)});
  }
  auto less = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
  if (!std::is_sorted(keyed.begin(), keyed.end(), less)) std::stable_sort(keyed.begin(), keyed.end(), less);
  elements.clear();
  for (size_t i = 0, j = 0; i < keyed.size(); i = j) {
    for (j = i + 1; j < keyed.size() && keyed[j].key == keyed[i].key;) ++j;
    append_unique(elements, keyed.data() + i, keyed.data() + j);
  }
}

bool set_less(const Value& a, const Value& b) {
  bool primitive = (a.is_null() || a.is_unknown() || a.type().is_primitive()) &&
                   (b.is_null() || b.is_unknown() || b.type().is_primitive());
  if (primitive || rank(a) != rank(b)) return primitive_less(a, b);
  std::string x, y;
  append_set_key(x, a);
  append_set_key(y, b);
  return x < y;
}

}  // namespace xplan
