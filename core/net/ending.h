// Ending: when a request ends, where the run is to stop: with it, or only some time after it.
//
// Who calls it: whoever makes requests; the clients of backends hand it on.
// Contract: of what may change something, its answer tells whether it has: it is waited for, though not for
// ever. What is given no flag does not end.  Cost: three words. Thread-safety: a value.
#pragma once
#include <chrono>

#include "core/base/stop.h"

namespace xplan::net {

inline constexpr std::chrono::milliseconds kLastAnswer{5000};  // of what takes a lock, or releases it again

struct Ending {
  Ending(Stop s = nullptr, std::chrono::milliseconds later = {}) : stop(s), grace(later) {}
  Stop stop;
  std::chrono::milliseconds grace;  // for which the answer to what is under way is waited for after that
  bool once = false;                // one attempt: somebody asks for the like again in any case
};

inline bool stopped(const Ending& e) {
  return xplan::stopped(e.stop);
}

}  // namespace xplan::net
