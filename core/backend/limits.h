// What states may be at most, wherever they are; and how long what is written waits for a server.
//
// Used by: backends, for what they read. Invariant: larger than any state in use. Cost, thread-safety: a
// constant.
#pragma once
#include <chrono>
#include <cstdint>

namespace xplan::backend {

inline constexpr uint64_t kLargestState = uint64_t{1} << 30;  // in bytes, unpacked
inline constexpr uint64_t kLargestReply = uint64_t{1} << 20;  // to whoever writes or locks one
// An outage of a server, or its restart, should not end an apply.
inline constexpr std::chrono::seconds kWritePatience{30};

}  // namespace xplan::backend
