// Stop: the flag that tells long work to end, and the error of work that did.
//
// Who calls it: whatever takes long: requests, downloads, unpacking, hashing, copying, functions.
// Contract: work looks at the flag at each entry or piece, and what is half-done then is the caller's to
// remove. The error is for the caller alone: that a run was interrupted is reported once, by whoever runs it.
// Cost: a load. Thread-safety: any thread.
#pragma once
#include <atomic>

#include "core/base/result.h"

namespace xplan {

using Stop = const std::atomic<bool>*;  // null: nobody stops this

inline bool stopped(Stop stop) {
  return stop && stop->load(std::memory_order_relaxed);
}
inline constexpr const char* kInterrupted = "it was interrupted";
inline Error interrupted() {
  return Error{kInterrupted};
}

}  // namespace xplan
