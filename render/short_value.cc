// Prints values for sentences: quoted strings, lists in brackets, everything cut where it becomes long.
#include "render/short_value.h"

#include <algorithm>

#include "core/base/quote.h"
#include "core/value/json.h"

namespace xplan::render {
namespace {

constexpr size_t kLongest = 48;  // bytes of a string; and of all, as far as parts can be left out
constexpr size_t kShownBefore = 12;

// Up to `most` bytes from `from`, whole characters.
std::string_view piece(std::string_view s, size_t from, size_t most) {
  auto inside = [&](size_t i) { return i < s.size() && (static_cast<unsigned char>(s[i]) & 0xC0) == 0x80; };
  while (from > 0 && inside(from)) --from;
  size_t end = std::min(s.size(), from + most);
  while (end > from && inside(end)) --end;
  return s.substr(from, end - from);
}

void put_string(std::string& out, std::string_view s, size_t from) {
  const std::string_view shown = piece(s, from, kLongest);
  const bool begins = shown.data() == s.data(), ends = shown.data() + shown.size() == s.data() + s.size();
  if (!begins) out += "…";
  append_quoted(out, shown, Quoting::Debug);
  if (!ends) out += "…";
}

void put_value(std::string& out, const Value& v) {
  if (v.marks()) {
    out += "(sensitive value)";
    return;
  }
  if (v.is_unknown()) {
    out += "(known after apply)";
    return;
  }
  switch (v.kind()) {
    case Kind::Null:
      out += "null";
      return;
    case Kind::Str:
      return put_string(out, v.as_string(), 0);
    case Kind::Seq:
    case Kind::Set:
    case Kind::Map:
    case Kind::Obj: {
      const bool map = v.kind() == Kind::Map, keyed = map || v.kind() == Kind::Obj;
      const size_t begin = out.size();
      out += keyed ? '{' : '[';
      const auto elements = v.elements();
      for (size_t i = 0; i < elements.size(); ++i) {
        if (i) out += ", ";
        if (out.size() - begin > kLongest) {
          out += "…";
          break;
        }
        if (map) put_string(out, v.map_key(i), 0);
        if (keyed && !map) out += v.type().attr_names()[i].sv();
        if (keyed) out += " = ";
        put_value(out, elements[i]);
      }
      out += keyed ? '}' : ']';
      return;
    }
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
      out += to_json(v);
      return;
    case Kind::TypeVal:
      out += "a type";
      return;
    case Kind::Unknown:
      return;
  }
}

}  // namespace

std::string short_value(const Value& v) {
  std::string out;
  put_value(out, v);
  return out;
}

std::string short_change(const Value& before, const Value& after) {
  if (before.marks() || after.marks()) return "(sensitive value)";
  if (before.is_string() && after.is_string()) {
    const std::string_view old = before.as_string(), now = after.as_string();
    const size_t common = static_cast<size_t>(
        std::mismatch(old.begin(), old.end(), now.begin(), now.end()).first - old.begin());
    const bool is_long = std::max(old.size(), now.size()) > kLongest;
    const size_t from = is_long && common > kShownBefore ? common - kShownBefore : 0;
    std::string out;
    put_string(out, old, from);
    out += " -> ";
    put_string(out, now, from);
    return out;
  }
  return short_value(before) + " -> " + short_value(after);
}

std::string too_large_text(size_t written_size) {
  return "(too large to be shown: counts as " + std::to_string(written_size) + " elements)";
}

}  // namespace xplan::render
