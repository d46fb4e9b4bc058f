// CRC-64 by a table of bytes.
#include "core/cloud/crc64.h"

#include <array>

namespace xplan::cloud {
namespace {

constexpr std::array<uint64_t, 256> crc64_table() {
  std::array<uint64_t, 256> out{};
  for (uint64_t i = 0; i < 256; ++i) {
    uint64_t n = i;
    for (int bit = 0; bit < 8; ++bit) n = n & 1 ? (n >> 1) ^ 0xC96C5795D7870F42u : n >> 1;
    out[i] = n;
  }
  return out;
}

}  // namespace

uint64_t crc64(std::string_view bytes) {
  static constexpr std::array<uint64_t, 256> kTable = crc64_table();
  uint64_t n = ~uint64_t{0};
  for (const char c : bytes) n = kTable[(n ^ static_cast<unsigned char>(c)) & 255] ^ (n >> 8);
  return ~n;
}

}  // namespace xplan::cloud
