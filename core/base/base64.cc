// Base64 through a table of sextets, hexadecimal text, and the text form of UUIDs.
#include "core/base/base64.h"

#include <array>
#include <cstdint>

namespace xplan {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto kSextets = [] {
  std::array<int8_t, 256> table{};
  for (auto& s : table) s = -1;
  for (int8_t i = 0; i < 64; i++) table[uint8_t(kAlphabet[i])] = i;
  return table;
}();

bool line_break(char c) {
  return c == '\r' || c == '\n';
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    uint32_t group = uint8_t(bytes[i]) << 16 | uint8_t(bytes[i + 1]) << 8 | uint8_t(bytes[i + 2]);
    for (int shift = 18; shift >= 0; shift -= 6) out += kAlphabet[group >> shift & 63];
  }
  if (size_t rest = bytes.size() - i; rest > 0) {
    uint32_t group = uint8_t(bytes[i]) << 16 | (rest == 2 ? uint8_t(bytes[i + 1]) << 8 : 0);
    out += kAlphabet[group >> 18 & 63];
    out += kAlphabet[group >> 12 & 63];
    out += rest == 2 ? kAlphabet[group >> 6 & 63] : '=';
    out += '=';
  }
  return out;
}

bool base64_decode(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size() / 4 * 3);
  uint32_t group = 0;
  int have = 0;
  size_t i = 0;
  for (; i < text.size() && text[i] != '='; i++) {
    if (line_break(text[i])) continue;
    int s = kSextets[uint8_t(text[i])];
    if (s < 0) return false;
    group = group << 6 | uint32_t(s);
    if (++have == 4) {
      for (int shift = 16; shift >= 0; shift -= 8) out += char(group >> shift);
      group = 0, have = 0;
    }
  }
  int padding = 0;
  for (; i < text.size(); i++) {
    if (line_break(text[i])) continue;
    if (text[i] != '=' || ++padding > 2) return false;
  }
  if (have == 0) return padding == 0;
  if (have == 1 || have + padding != 4) return false;
  out += char(group >> (have == 2 ? 4 : 10));
  if (have == 3) out += char(group >> 2);
  return true;
}

std::string hex_encode(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char c : bytes) {
    out += kDigits[uint8_t(c) >> 4];
    out += kDigits[uint8_t(c) & 15];
  }
  return out;
}

std::string uuid_text(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += hex_encode(bytes.substr(i, 1));
  }
  return out;
}

}  // namespace xplan
