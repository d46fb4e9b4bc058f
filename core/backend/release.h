// Releasing a lock on a server that removes whichever lock is there, also one that another run has taken, or
// may be such a server.
//
// Who calls it: the locks of s3, cos and hcp, right after a look that showed their own lock.
// Contract: each request to remove it is sent once (net::Request::once). After one that may have been carried
// out although no answer says so, only another look decides: whatever is not ours any more was released by
// it. When `stop` is set, no further attempt is made.  Cost: one request, and a look and a pause for each
// that failed. Thread-safety: that of its parts.
#pragma once
#include <chrono>

#include "core/base/backoff.h"
#include "core/base/result.h"

namespace xplan::backend {

// `remove(unsure)`: on an error, sets whether it may have been carried out all the same. `ours()`:
// Result<bool>.
template <class Remove, class Ours>
Result<void> release_own(Remove remove, Ours ours, Stop stop = nullptr) {
  constexpr int kTries = 6;
  for (int n = 0;; ++n) {
    bool unsure = false;
    Result<void> done = remove(unsure);
    if (done || !unsure || n + 1 == kTries || stopped(stop)) return done;
    wait_unless_stopped(backoff(n, std::chrono::milliseconds(250), std::chrono::seconds(4)), stop);
    const Result<bool> still = ours();
    if (!still) return done;
    if (!*still) return {};
  }
}

}  // namespace xplan::backend
