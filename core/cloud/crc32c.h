// CRC-32C (Castagnoli), as Google's storage sums up objects.
//
// Who calls it: the backend gcs.  Cost: linear, a byte at a time. Thread-safety: pure.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xplan::cloud {

uint32_t crc32c(std::string_view bytes);
std::string crc32c_base64(std::string_view bytes);  // of its four bytes, the highest first

}  // namespace xplan::cloud
