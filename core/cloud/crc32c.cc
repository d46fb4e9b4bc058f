// CRC-32C by a table of bytes.
#include "core/cloud/crc32c.h"

#include <array>

#include "core/base/base64.h"

namespace xplan::cloud {
namespace {

constexpr std::array<uint32_t, 256> crc32c_table() {
  std::array<uint32_t, 256> out{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t n = i;
    for (int bit = 0; bit < 8; ++bit) n = n & 1 ? (n >> 1) ^ 0x82F63B78u : n >> 1;
    out[i] = n;
  }
  return out;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = crc32c_table();
  uint32_t n = 0xFFFFFFFFu;
  for (const char c : bytes) n = kTable[(n ^ static_cast<unsigned char>(c)) & 255] ^ (n >> 8);
  return ~n;
}

std::string crc32c_base64(std::string_view bytes) {
  const uint32_t n = crc32c(bytes);
  const char four[] = {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  return base64_encode({four, 4});
}

}  // namespace xplan::cloud
