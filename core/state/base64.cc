#include "core/state/base64.h"

#include <array>
#include <cstdint>

namespace xplan {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> make_values() {
  std::array<int8_t, 256> t{};
  for (auto& v : t) v = -1;
  for (int i = 0; i < 64; ++i) t[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
  return t;
}
constexpr std::array<int8_t, 256> kValues = make_values();

}  // namespace

std::string base64_text(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t n = 0;
    size_t have = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k) n = n << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += k <= have ? kDigits[n >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

bool base64_bytes(std::string_view text, std::string& out) {
  out.clear();
  uint32_t n = 0;
  size_t have = 0, padding = 0;
  for (char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    int8_t v = kValues[static_cast<unsigned char>(c)];
    if (v < 0 || padding) return false;
    n = n << 6 | static_cast<uint32_t>(v);
    if (++have == 4) {
      out += static_cast<char>(n >> 16), out += static_cast<char>(n >> 8), out += static_cast<char>(n);
      n = 0, have = 0;
    }
  }
  if (have == 0) return padding == 0;
  if (have == 1 || have + padding != 4) return false;
  n <<= 6 * (4 - have);
  out += static_cast<char>(n >> 16);
  if (have == 3) out += static_cast<char>(n >> 8);
  return true;
}

}  // namespace xplan
