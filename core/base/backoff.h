// Waiting before something is tried again.
//
// Who calls it: whatever asks servers: requests (core/net/client.cc), AWS's services, PostgreSQL.  Contract:
// each wait is about twice as long as the one before, and never below the first or above the longest; no two
// processes that failed at the same moment come back together. Waiting ends soon after the run is told to
// stop. Thread-safety: any thread.
#pragma once
#include <chrono>

#include "core/base/stop.h"

namespace xplan {

// After the attempt of this number, from 0 on.
std::chrono::milliseconds backoff(int attempt, std::chrono::milliseconds first,
                                  std::chrono::milliseconds most);
bool wait_unless_stopped(std::chrono::milliseconds time, Stop stop);  // false: the run is to stop

}  // namespace xplan
