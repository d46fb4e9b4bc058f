// Times between attempts, with a part by chance.
#include "core/base/backoff.h"

#include <algorithm>
#include <random>
#include <thread>

namespace xplan {

std::chrono::milliseconds backoff(int attempt, std::chrono::milliseconds first,
                                  std::chrono::milliseconds most) {
  static thread_local std::minstd_rand random{std::random_device{}()};
  const int64_t base = std::min(first * (int64_t{1} << std::min(attempt, 16)), most).count();
  const int64_t longer = std::min(base + base / 4, std::max(most, first).count());
  const int64_t shorter = longer > base ? base : std::max(base - base / 4, first.count());  // at the longest
  return std::chrono::milliseconds(
      std::uniform_int_distribution<int64_t>(std::min(shorter, longer), longer)(random));
}

bool wait_unless_stopped(std::chrono::milliseconds time, Stop stop) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!stopped(stop) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::min(std::chrono::milliseconds(50), time));
  return !stopped(stop);
}

}  // namespace xplan
