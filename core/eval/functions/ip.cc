// Parses and prints IPv4 and IPv6 addresses and prefixes, as the cidr functions need them.
#include "core/eval/functions/ip.h"

#include <array>
#include <cstdio>

#include "core/base/text.h"

namespace xplan::eval {

namespace {

// A number of at most `max`; false when there are no digits or it is larger.
bool take_number(std::string_view& s, int base, uint32_t max, uint32_t& out) {
  size_t i = 0;
  uint32_t n = 0;
  for (; i < s.size(); i++) {
    const int digit = hex_digit(s[i]);
    if (digit < 0 || digit >= base) break;
    n = n * uint32_t(base) + uint32_t(digit);
    if (n > max) return false;
  }
  s.remove_prefix(i);
  out = n;
  return i > 0;
}

bool parse_ipv4(std::string_view s, uint32_t& out) {
  out = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t octet = 0;
    if (i > 0) {
      if (!s.starts_with('.')) return false;
      s.remove_prefix(1);
    }
    if (!take_number(s, 10, 255, octet)) return false;
    out = out << 8 | octet;
  }
  return s.empty();
}

bool parse_ipv6(std::string_view s, Bits128& out) {
  std::array<uint16_t, 8> groups = {};
  size_t n = 0, gap = 8;
  bool has_gap = false;
  if (s.starts_with("::")) {
    has_gap = true, gap = 0;
    s.remove_prefix(2);
  }
  while (n < 8 && !(has_gap && s.empty())) {
    uint32_t group = 0, v4 = 0;
    if (size_t end = s.find_first_not_of("0123456789abcdefABCDEF");
        end != std::string_view::npos && s[end] == '.') {
      if (n > 6 || (!has_gap && n != 6) || !parse_ipv4(s, v4)) return false;
      groups[n++] = uint16_t(v4 >> 16);
      groups[n++] = uint16_t(v4);
      s = {};
      break;
    }
    if (!take_number(s, 16, 0xFFFF, group)) return false;
    groups[n++] = uint16_t(group);
    if (s.empty()) break;
    if (s[0] != ':' || s.size() == 1) return false;
    s.remove_prefix(1);
    if (s[0] == ':') {
      if (has_gap) return false;
      has_gap = true, gap = n;
      s.remove_prefix(1);
    }
  }
  if (!s.empty() || (n < 8) != has_gap) return false;
  out = 0;
  for (size_t i = 0; i < 8; i++) {
    size_t zeros = 8 - n;
    uint16_t g = i < gap ? groups[i] : i < gap + zeros ? uint16_t(0) : groups[i - zeros];
    out = out << 16 | g;
  }
  return true;
}

std::string ipv4_text(uint32_t a) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
  return buffer;
}

}  // namespace

Bits128 low_bits(int n) {
  return n >= 128 ? ~Bits128(0) : (Bits128(1) << n) - 1;
}

bool parse_prefix(std::string_view text, Prefix& out, std::string& why) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    why = "a prefix in CIDR notation must be an address, a slash and a number of bits, such as 10.0.0.0/8";
    return false;
  }
  std::string_view address = text.substr(0, slash), length = text.substr(slash + 1);
  uint32_t v4 = 0, bits = 0;
  if (parse_ipv4(address, v4)) {
    out.width = 32;
    out.address = v4;
  } else if (parse_ipv6(address, out.address)) {
    out.width = 128;
  } else {
    why = "the part before the slash is not an IPv4 or IPv6 address";
    return false;
  }
  if (!take_number(length, 10, uint32_t(out.width), bits) || !length.empty()) {
    why = "the part after the slash must be a number of bits from 0 to " + std::to_string(out.width);
    return false;
  }
  out.length = int(bits);
  out.address &= ~low_bits(out.width - out.length);
  return true;
}

std::string address_text(Bits128 address, int width) {
  if (width == 32 || address >> 32 == 0xFFFF) return ipv4_text(uint32_t(address));
  std::array<uint16_t, 8> groups;
  for (size_t i = 0; i < 8; i++) groups[i] = uint16_t(address >> (112 - 16 * i));
  size_t gap = 8, gap_length = 1;  // the longest run of at least two zero groups, the first of equals
  for (size_t i = 0; i < 8; i++) {
    size_t n = 0;
    while (i + n < 8 && groups[i + n] == 0) n++;
    if (n > gap_length) gap = i, gap_length = n;
    i += n;
  }
  std::string out;
  char buffer[8];
  for (size_t i = 0; i < 8; i++) {
    if (i == gap) {
      out += "::";
      i += gap_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    std::snprintf(buffer, sizeof buffer, "%x", groups[i]);
    out += buffer;
  }
  return out;
}

std::string prefix_text(const Prefix& p) {
  int length = p.mapped() ? (p.length > 96 ? p.length - 96 : 0) : p.length;
  return address_text(p.address, p.width) + "/" + std::to_string(length);
}

}  // namespace xplan::eval
