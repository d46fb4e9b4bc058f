// CRC-64 of ECMA-182, as Alibaba Cloud's storage sums up objects.
//
// Who calls it: the backend oss.  Cost: linear, a byte at a time. Thread-safety: pure.
#pragma once
#include <cstdint>
#include <string_view>

namespace xplan::cloud {

uint64_t crc64(std::string_view bytes);

}  // namespace xplan::cloud
