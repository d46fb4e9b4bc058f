// Encodes values as MessagePack, refinements of unknown values included.
#include <cstring>

#include "core/base/utf8.h"
#include "core/value/msgpack.h"

namespace xplan {
namespace {

constexpr char kUnknownExtension[] = {'\xd4', 0, 0};
constexpr unsigned char kRefinedExtension = 0x0c;
constexpr size_t kMaxPrefix = 256;  // so that refinements stay below the 1,024 bytes that decoders accept

class Packer {
 public:
  explicit Packer(std::string& out) : out_(out) {}

  void value(const Value& v, Type declared) {
    if (declared.is_dynamic() && !v.type().is_dynamic()) {
      out_.push_back('\x92');
      std::string type = v.type().json();
      header(type.size(), 0, 0, 0xc4, 0xc5, 0xc6);
      out_ += type;
      declared = v.type();
    }
    switch (v.kind()) {
      case Kind::Null:
      case Kind::TypeVal:
        out_.push_back('\xc0');
        return;
      case Kind::Unknown:
        unknown(v);
        return;
      case Kind::Bool:
        boolean(v.as_bool());
        return;
      case Kind::Int:
      case Kind::Num:
        number(v.as_number());
        return;
      case Kind::Str:
        string(v.as_string());
        return;
      case Kind::Seq:
      case Kind::Set: {
        header(v.length(), 0x90, 16, 0, 0xdc, 0xdd);
        bool tuple = declared.is_tuple() && declared.elements().size() == v.length();
        Type element = declared.is_collection() ? declared.element() : Type();
        for (size_t i = 0; i < v.length(); ++i)
          value(v.elements()[i], tuple ? declared.elements()[i] : element);
        return;
      }
      case Kind::Map: {
        header(v.length(), 0x80, 16, 0, 0xde, 0xdf);
        Type element = declared.is_collection() ? declared.element() : Type();
        for (size_t i = 0; i < v.length(); ++i) string(v.map_key(i)), value(v.elements()[i], element);
        return;
      }
      case Kind::Obj: {
        header(v.length(), 0x80, 16, 0, 0xde, 0xdf);
        auto names = v.type().attr_names();
        bool fits = declared.is_object() && declared.elements().size() == v.length();
        for (size_t i = 0; i < v.length(); ++i)
          string(names[i].sv()), value(v.elements()[i], fits ? declared.elements()[i] : Type());
        return;
      }
    }
  }

 private:
  void byte(unsigned b) { out_.push_back(static_cast<char>(b)); }
  void big_endian(uint64_t n, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) byte(n >> shift & 0xff);
  }
  // The shortest header for a length; a zero code means that there is no such form.
  void header(size_t n, unsigned fix, size_t fix_limit, unsigned code8, unsigned code16, unsigned code32) {
    if (n < fix_limit)
      byte(fix | static_cast<unsigned>(n));
    else if (code8 && n <= 0xff)
      byte(code8), big_endian(n, 1);
    else if (n <= 0xffff)
      byte(code16), big_endian(n, 2);
    else
      byte(code32), big_endian(n, 4);
  }
  void boolean(bool b) { byte(b ? 0xc3 : 0xc2); }
  void string(std::string_view s) {
    header(s.size(), 0xa0, 32, 0xd9, 0xda, 0xdb);
    out_ += s;
  }
  void integer(int64_t n) {
    auto u = static_cast<uint64_t>(n);
    if (n >= 0) {
      if (n <= 0x7f)
        byte(static_cast<unsigned>(n));
      else if (n <= 0xff)
        byte(0xcc), big_endian(u, 1);
      else if (n <= 0xffff)
        byte(0xcd), big_endian(u, 2);
      else if (n <= 0xffffffff)
        byte(0xce), big_endian(u, 4);
      else
        byte(0xcf), big_endian(u, 8);
    } else if (n >= -32) {
      byte(static_cast<unsigned>(u & 0xff));
    } else if (n >= INT8_MIN) {
      byte(0xd0), big_endian(u, 1);
    } else if (n >= INT16_MIN) {
      byte(0xd1), big_endian(u, 2);
    } else if (n >= INT32_MIN) {
      byte(0xd2), big_endian(u, 4);
    } else {
      byte(0xd3), big_endian(u, 8);
    }
  }
  void number(const Number& n) {
    if (std::optional<int64_t> i = n.exact_int64()) return integer(*i);
    std::string digits = n.is_infinite() ? "" : n.text();
    // The shortest digits of a large integer that came as a double read back as another one.
    const bool exact = n.is_integer() && *Number::parse(digits) == n;
    if (n.is_infinite() || (!exact && n.fits_double_exactly())) {
      double d = n.to_double();
      uint64_t bits;
      std::memcpy(&bits, &d, sizeof bits);
      byte(0xcb), big_endian(bits, 8);
      return;
    }
    string(digits);
  }

  // A long prefix is cut before its last whole character cluster, because what follows might change that one.
  static std::string_view bounded_prefix(std::string_view s) {
    if (s.size() <= kMaxPrefix) return s;
    s = s.substr(0, kMaxPrefix - 1);
    size_t valid = 0;
    while (size_t n = utf8_length_at(s, valid)) valid += n;
    s = s.substr(0, valid);
    std::vector<uint32_t> clusters = graphemes(s);
    return clusters.empty() ? s : s.substr(0, s.size() - clusters.back());
  }

  void unknown(const Value& v) {
    const Refinement& r = v.refinement();
    std::string body;
    unsigned entries = 0;
    Packer p(body);
    auto key = [&](int64_t k) { ++entries, p.integer(k); };
    auto bound = [&](int64_t k, const Number& n, bool inclusive) {
      key(k), p.byte(0x92), p.number(n), p.boolean(inclusive);
    };
    if (!v.type().is_dynamic()) {
      if (r.not_null) key(1), p.boolean(false);
      if (std::string_view prefix = bounded_prefix(r.prefix); !prefix.empty()) key(2), p.string(prefix);
      if (r.has_lower) bound(3, r.lower, r.lower_inclusive);
      if (r.has_upper) bound(4, r.upper, r.upper_inclusive);
      if (r.min_length != 0) key(5), p.integer(r.min_length);
      if (r.max_length != INT64_MAX) key(6), p.integer(r.max_length);
    }
    if (entries == 0 || body.size() + 1 > 1024) {
      out_.append(kUnknownExtension, sizeof kUnknownExtension);
      return;
    }
    size_t n = body.size() + 1;
    switch (n) {
      case 2:
        byte(0xd5);
        break;
      case 4:
        byte(0xd6);
        break;
      case 8:
        byte(0xd7);
        break;
      case 16:
        byte(0xd8);
        break;
      default:
        header(n, 0, 0, 0xc7, 0xc8, 0xc9);
    }
    byte(kRefinedExtension);
    byte(0x80 | entries);
    out_ += body;
  }

  std::string& out_;
};

}  // namespace

void encode_msgpack(std::string& out, const Value& v, Type declared) {
  Packer(out).value(v, declared);
}

std::string to_msgpack(const Value& v, Type declared) {
  std::string out;
  encode_msgpack(out, v, declared);
  return out;
}

}  // namespace xplan
