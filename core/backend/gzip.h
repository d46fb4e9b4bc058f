// States as gzip, as some servers keep them.
//
// Who calls it: the backends consul and kubernetes.  Contract: what is unpacked is hostile: it ends with an
// error once it is larger than `most` bytes; the error goes on from what the bytes are. Other tools read what
// is made here, whose bytes differ from theirs. Cost: linear. Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/backend/limits.h"
#include "core/base/result.h"

namespace xplan::backend {

inline bool is_gzip(std::string_view bytes) {
  return bytes.starts_with('\x1f');
}
Result<std::string> gzip(std::string_view bytes);
Result<std::string> gunzip(std::string_view bytes, uint64_t most = kLargestState);

}  // namespace xplan::backend
