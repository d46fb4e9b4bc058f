// Moment: a point in time whose distance from now is known also where this process, or the machine, was
// stopped since then.
//
// Who calls it: whatever judges how long others have heard nothing of this run. Contract: what it was made at
// is seen by a clock that can be set and by one that stands still with a virtual machine; whichever of them
// says more counts.  Cost: two looks at clocks. Thread-safety: a value.
#pragma once
#include <algorithm>
#include <chrono>
#include <ctime>

namespace xplan {

class Moment {
 public:
  std::chrono::milliseconds ago() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::max<std::chrono::nanoseconds>(std::chrono::system_clock::now() - day_, since_boot() - boot_));
  }

 private:
  static std::chrono::nanoseconds since_boot() {
    struct timespec t = {};
    (void)::clock_gettime(CLOCK_BOOTTIME, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
  }
  std::chrono::system_clock::time_point day_ = std::chrono::system_clock::now();
  std::chrono::nanoseconds boot_ = since_boot();
};

}  // namespace xplan
