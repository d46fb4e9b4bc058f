// Values from MessagePack. The input is a provider's or a plan file's: nothing in it is believed.
#include <algorithm>
#include <cstring>

#include "core/base/utf8.h"
#include "core/value/convert.h"
#include "core/value/msgpack.h"

namespace xplan {
namespace {

using Maybe = std::optional<Value>;

constexpr int kMaxDepth = 2100;       // a value of 1,000 levels, each of any type
constexpr size_t kMaxReserve = 4096;  // a claimed length is not yet a reason to take memory
constexpr size_t kMaxRefinement = 1024;

class Unpacker {
 public:
  Unpacker(std::string_view bytes, Attributes attributes) : in_(bytes), attributes_(attributes) {}

  Maybe value(Type t, int depth) {
    if (in_.empty()) return fail("the data ends early");
    if (depth > kMaxDepth) return fail("the nesting is deeper than " + std::to_string(kMaxDepth) + " levels");
    if (is_extension(code())) return unknown(t, depth);
    if (code() == 0xc0) {
      in_.remove_prefix(1);
      return Value::null(t);
    }
    switch (t.kind()) {
      case TypeKind::Dynamic:
        return dynamic(depth);
      case TypeKind::Bool: {
        bool b = code() == 0xc3;
        if (!b && code() != 0xc2) return fail("a bool is required");
        in_.remove_prefix(1);
        return Value::boolean(b);
      }
      case TypeKind::Number: {
        std::optional<Number> n = number();
        if (!n) return std::nullopt;
        // Written as 0, so that a set would have two elements before and one behind.
        return Value::number(n->is_negative_zero() ? Number(0) : *n);
      }
      case TypeKind::String: {
        std::string_view s;
        if (!text(s)) return fail("a string is required");
        return Value::string(utf8_valid(s) ? std::string(s) : repaired(s));
      }
      case TypeKind::List:
      case TypeKind::Set:
        return sequence(t, depth);
      case TypeKind::Map:
        return map(t, depth);
      case TypeKind::Tuple:
        return tuple(t, depth);
      case TypeKind::Object:
        return object(t, depth);
      case TypeKind::Capsule:
        break;
    }
    return fail("a value of this type has no encoding");
  }

  Error error() {
    std::reverse(path_.begin(), path_.end());
    return Error{path_.empty() ? message_ : path_text(path_) + ": " + message_};
  }

 private:
  unsigned code() const { return static_cast<unsigned char>(in_[0]); }
  static bool is_extension(unsigned c) { return (c >= 0xd4 && c <= 0xd8) || (c >= 0xc7 && c <= 0xc9); }
  Maybe fail(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    return std::nullopt;
  }
  Maybe below(PathStep step) {
    path_.push_back(std::move(step));
    return std::nullopt;
  }
  static std::string repaired(std::string_view s) {
    std::string out;
    for (size_t i = 0; i < s.size();) utf8_append(out, utf8_decode(s, i));
    return out;
  }

  // Reads a big-endian integer behind the code byte; false when the data ends.
  bool unsigned_at(size_t offset, size_t bytes, uint64_t& n) const {
    if (in_.size() < offset + bytes) return false;
    n = 0;
    for (size_t i = 0; i < bytes; ++i) n = n << 8 | static_cast<unsigned char>(in_[offset + i]);
    return true;
  }
  // A length header: `fix` to `fix + fix_mask`, or one of up to three codes with 1, 2 or 4 bytes of length.
  // Takes it and gives the length; false when the next value is something else or the data ends.
  bool header(unsigned fix, unsigned fix_mask, unsigned code8, unsigned code16, unsigned code32,
              uint64_t& n) {
    if (in_.empty()) return false;
    unsigned c = code();
    if (fix && (c & ~fix_mask & 0xff) == fix) {
      n = c & fix_mask;
      in_.remove_prefix(1);
      return true;
    }
    size_t bytes = c == code8 && code8 ? 1 : c == code16 ? 2 : c == code32 ? 4 : 0;
    if (bytes == 0 || !unsigned_at(1, bytes, n)) return false;
    in_.remove_prefix(1 + bytes);
    return true;
  }
  bool take(uint64_t n, std::string_view& s) {
    if (n > in_.size()) return false;
    s = in_.substr(0, n);
    in_.remove_prefix(n);
    return true;
  }
  // A str; a bin is taken for one too, as the decoders of the reference tools do.
  bool text(std::string_view& s) {
    uint64_t n;
    return (header(0xa0, 0x1f, 0xd9, 0xda, 0xdb, n) || header(0, 0, 0xc4, 0xc5, 0xc6, n)) && take(n, s);
  }
  // An array or map whose elements, at one byte at least each, fit into what is left.
  bool array(uint64_t& n) { return header(0x90, 0x0f, 0, 0xdc, 0xdd, n) && n <= in_.size(); }
  bool map_header(uint64_t& n) { return header(0x80, 0x0f, 0, 0xde, 0xdf, n) && n <= in_.size() / 2; }

  bool integer(int64_t& out) {
    if (in_.empty()) return false;
    unsigned c = code();
    if (c <= 0x7f || c >= 0xe0) {
      out = static_cast<int8_t>(c);
      in_.remove_prefix(1);
      return true;
    }
    if ((c < 0xcc || c > 0xd3)) return false;
    size_t bytes = size_t{1} << (c & 3);
    uint64_t n;
    if (!unsigned_at(1, bytes, n)) return false;
    if (c <= 0xcf) {
      if (n > INT64_MAX) return false;
      out = static_cast<int64_t>(n);
    } else {
      int shift = static_cast<int>(64 - 8 * bytes);
      out = static_cast<int64_t>(n << shift) >> shift;
    }
    in_.remove_prefix(1 + bytes);
    return true;
  }

  std::optional<Number> number() {
    auto none = [&]() -> std::optional<Number> { return fail("a number is required"), std::nullopt; };
    if (in_.empty()) return none();
    int64_t i;
    if (integer(i)) return Number(i);
    uint64_t n;
    if (code() == 0xcf && unsigned_at(1, 8, n)) {
      in_.remove_prefix(9);
      Result<Number> r = Number::parse_base(std::to_string(n), 10);
      if (!r.ok()) return none();
      return *r;
    }
    if (code() == 0xca || code() == 0xcb) {
      size_t bytes = code() == 0xca ? 4 : 8;
      if (!unsigned_at(1, bytes, n)) return none();
      in_.remove_prefix(1 + bytes);
      double d;
      if (bytes == 4) {
        auto narrow = static_cast<uint32_t>(n);
        float f;
        std::memcpy(&f, &narrow, sizeof f);
        d = f;
      } else {
        std::memcpy(&d, &n, sizeof d);
      }
      if (d != d) return fail("not-a-number (NaN) is not supported"), std::nullopt;
      return Number::from_double(d);
    }
    std::string_view s;
    if (!text(s)) return none();
    Result<Number> r = Number::parse(s);
    if (!r.ok()) return none();
    return *r;
  }

  bool elements(uint64_t n, Type element, int depth, std::vector<Value>& out) {
    out.reserve(std::min<uint64_t>(n, kMaxReserve));
    for (uint64_t i = 0; i < n; ++i) {
      Maybe v = value(element, depth + 1);
      if (!v) return below(PathStep::of_index(Value::number(static_cast<int64_t>(i)))), false;
      out.push_back(std::move(*v));
    }
    return true;
  }

  Maybe sequence(Type t, int depth) {
    uint64_t n;
    if (!array(n)) return fail(t.is_list() ? "a list is required" : "a set is required");
    Type element = t.element();
    std::vector<Value> list;
    if (!elements(n, element, depth, list)) return std::nullopt;
    if (!settle_elements(list, element)) return fail("all elements must have the same type");
    return t.is_list() ? Value::list(element, std::move(list)) : Value::set(element, std::move(list));
  }

  Maybe map(Type t, int depth) {
    uint64_t n;
    if (!map_header(n)) return fail("a map is required");
    Type element = t.element();
    std::vector<std::string> keys;
    std::vector<Value> list;
    for (uint64_t i = 0; i < n; ++i) {
      std::string_view key;
      if (!text(key)) return fail("the keys of a map must be strings");
      keys.push_back(utf8_valid(key) ? std::string(key) : repaired(key));
      Maybe v = value(element, depth + 1);
      if (!v) return below(PathStep::of_index(Value::string(keys.back())));
      list.push_back(std::move(*v));
    }
    if (!settle_elements(list, element)) return fail("all values must have the same type");
    std::vector<std::pair<std::string, Value>> entries;
    entries.reserve(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) entries.emplace_back(std::move(keys[i]), std::move(list[i]));
    return Value::map(element, std::move(entries));
  }

  Maybe tuple(Type t, int depth) {
    uint64_t n;
    auto types = t.elements();
    if (!array(n) || n != types.size())
      return fail("a tuple of " + std::to_string(types.size()) + " elements is required");
    std::vector<Value> list;
    list.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      Maybe v = value(types[i], depth + 1);
      if (!v) return below(PathStep::of_index(Value::number(static_cast<int64_t>(i))));
      list.push_back(std::move(*v));
    }
    return Value::tuple(std::move(list));
  }

  Maybe object(Type t, int depth) {
    uint64_t n;
    auto types = t.elements();
    auto names = t.attr_names();
    if (!map_header(n)) return fail("an object is required");
    if (n != types.size() && attributes_ == Attributes::Exact)
      return fail("an object with " + std::to_string(types.size()) +
                  " attributes is required, but this one has " + std::to_string(n));
    std::vector<Value> attrs(types.size());
    std::vector<bool> seen(types.size());
    bool exact = true;
    for (uint64_t i = 0; i < n; ++i) {
      std::string_view key;
      if (!text(key)) return fail("the names of attributes must be strings");
      // Attributes come sorted, as the type has them, so the search is the exception.
      int at = i < names.size() && names[i].sv() == key ? static_cast<int>(i) : t.find_attr(key);
      if (at < 0 && attributes_ == Attributes::ByName && skip_unset()) continue;
      if (at < 0) return fail("the attribute \"" + repaired(key) + "\" is not expected here");
      auto a = static_cast<size_t>(at);
      if (seen[a]) return fail("the attribute \"" + repaired(key) + "\" occurs twice");
      seen[a] = true;
      Maybe v = value(types[a], depth + 1);
      if (!v) return below(PathStep::of_attr(names[a]));
      exact = exact && v->type() == types[a];
      attrs[a] = std::move(*v);
    }
    for (size_t i = 0; i < seen.size(); ++i)
      if (!seen[i]) attrs[i] = Value::null(types[i]);
    if (exact) return Value::object(t, std::move(attrs));
    std::vector<std::pair<Symbol, Value>> named;
    named.reserve(attrs.size());
    for (size_t i = 0; i < attrs.size(); ++i) named.emplace_back(names[i], std::move(attrs[i]));
    return Value::object(std::move(named));
  }

  Maybe dynamic(int depth) {
    uint64_t n;
    std::string_view type;
    if (!array(n) || n != 2 || !text(type))
      return fail("a value of any type must be an array of its type and the value");
    Result<Type> t = parse_type_json(type);
    if (!t.ok()) return fail("the type of this value cannot be read: " + t.error().message);
    return value(*t, depth + 1);
  }

  Maybe unknown(Type t, int depth) {
    static constexpr size_t kFixed[] = {1, 2, 4, 8, 16};
    uint64_t n = 0;
    unsigned c = code();
    if (c >= 0xd4) {
      n = kFixed[c - 0xd4];
      in_.remove_prefix(1);
    } else if (!header(0, 0, 0xc7, 0xc8, 0xc9, n)) {
      return fail("the data ends early");
    }
    std::string_view body;
    if (in_.empty()) return fail("the data ends early");
    unsigned kind = code();
    in_.remove_prefix(1);
    if (!take(n, body)) return fail("the data ends early");
    if (n <= 1) return Value::unknown(t);
    if (kind != 0x0c) return fail("the extension " + std::to_string(kind) + " is not known");
    if (n > kMaxRefinement) return fail("the refinements of this unknown value are too large");
    if (t.is_dynamic()) return Value::unknown(t);
    Unpacker in(body, attributes_);
    in.expandable_ = expandable_;
    Maybe v = in.refined(t, depth);
    expandable_ = in.expandable_;
    if (!v) return fail("the refinements of this unknown value cannot be read: " + in.message_);
    return v;
  }

  Maybe refined(Type t, int depth) {
    uint64_t n;
    if (!map_header(n)) return fail("they are not a map");
    Refinement r;
    for (uint64_t i = 0; i < n; ++i) {
      int64_t key;
      if (!integer(key)) return fail("a key is not an integer");
      if (in_.empty()) return fail("the data ends early");
      switch (key) {
        case 1:
          if (code() != 0xc2 && code() != 0xc3) return fail("nullness is not a bool");
          if (code() == 0xc3) return Value::null(t);
          r.not_null = true;
          in_.remove_prefix(1);
          break;
        case 2: {
          std::string_view s;
          if (t != Type::string() || !text(s) || !utf8_valid(s))
            return fail("a prefix must be a string, and for a string");
          r.prefix = s;
          break;
        }
        case 3:
        case 4: {
          uint64_t two;
          if (t != Type::number() || !array(two) || two != 2)
            return fail("a bound must be a number and a bool");
          std::optional<Number> b = number();
          if (!b || in_.empty() || (code() != 0xc2 && code() != 0xc3))
            return fail("a bound must be a number and a bool");
          bool inclusive = code() == 0xc3;
          in_.remove_prefix(1);
          if (key == 3)
            r.has_lower = true, r.lower = *b, r.lower_inclusive = inclusive;
          else
            r.has_upper = true, r.upper = *b, r.upper_inclusive = inclusive;
          break;
        }
        case 5:
        case 6: {
          int64_t length;
          if (!t.is_collection() || !integer(length) || length < 0)
            return fail("a length bound must be an integer, and for a collection");
          (key == 5 ? r.min_length : r.max_length) = length;
          break;
        }
        default:  // of a later version: it can only say more
          if (!skip(depth)) return fail("an unknown refinement cannot be skipped");
      }
    }
    if ((r.has_lower && r.has_upper && r.upper < r.lower) || r.min_length > r.max_length)
      return fail("the bounds contradict each other");
    // A list of known length becomes a list of unknown elements: few bytes must not become much memory.
    if (t.is_list() && r.not_null && r.min_length == r.max_length) {
      if (r.min_length > expandable_)
        r.max_length = INT64_MAX;
      else
        expandable_ -= r.min_length;
    }
    return Value::unknown(t, r);
  }

  // What says nothing: null, an empty string, map or array.
  bool skip_unset() {
    const bool unset = !in_.empty() && (code() == 0xc0 || code() == 0xa0 || code() == 0x80 || code() == 0x90);
    if (unset) in_.remove_prefix(1);
    return unset;
  }

  bool skip(int depth) {
    if (in_.empty() || depth > kMaxDepth) return false;
    unsigned c = code();
    int64_t i;
    uint64_t n = 0;
    std::string_view s;
    if (c == 0xc0 || c == 0xc2 || c == 0xc3) return take(1, s);
    if (c == 0xcf || c == 0xcb) return take(9, s);
    if (c == 0xca) return take(5, s);
    if (integer(i) || text(s)) return true;
    if (c >= 0xd4 && c <= 0xd8) return take(2 + (uint64_t{1} << (c - 0xd4)), s);
    if (header(0, 0, 0xc7, 0xc8, 0xc9, n)) return take(n + 1, s);
    bool is_map = map_header(n);
    if (!is_map && !array(n)) return false;
    for (uint64_t k = 0; k < n * (is_map ? 2 : 1); ++k)
      if (!skip(depth + 1)) return false;
    return true;
  }

  std::string_view in_;
  Attributes attributes_;
  Path path_;  // innermost step first
  std::string message_;
  int64_t expandable_ = int64_t{1} << 20;
};

}  // namespace

Result<Value> decode_msgpack(std::string_view bytes, Type declared, Attributes attributes) {
  Unpacker u(bytes, attributes);
  Maybe v = u.value(declared, 0);
  if (!v) return u.error();
  return std::move(*v);
}

}  // namespace xplan
