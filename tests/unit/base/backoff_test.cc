// Times between attempts.
#include "core/base/backoff.h"

#include <catch2/catch.hpp>
#include <set>

using namespace xplan;
using std::chrono::milliseconds;

TEST_CASE("backoff: doubled each time, within its limits, and not the same for all") {
  const struct {
    int attempt;
    int64_t first, most, least, longest;
  } rows[] = {
      {0, 100, 4000, 100, 125},
      {1, 100, 4000, 200, 250},
      {3, 100, 4000, 800, 1000},
      {5, 100, 4000, 3200, 4000},
      {6, 100, 4000, 3000, 4000},
      {1000, 100, 4000, 3000, 4000},
      {0, 1000, 1000, 1000, 1000},
      {5, 1, 1, 1, 1},
      {0, 0, 0, 0, 0},
  };
  for (const auto& r : rows) {
    INFO("attempt " << r.attempt << " of " << r.first << " to " << r.most);
    std::set<int64_t> seen;
    for (int n = 0; n < 200; ++n) {
      const int64_t wait = backoff(r.attempt, milliseconds(r.first), milliseconds(r.most)).count();
      CHECK(wait >= r.least);
      CHECK(wait <= r.longest);
      seen.insert(wait);
    }
    CHECK((seen.size() > 10) == (r.longest - r.least >= 20));
  }
}

TEST_CASE("backoff: waiting ends when the run is told to stop") {
  std::atomic<bool> stop = true;
  CHECK_FALSE(wait_unless_stopped(std::chrono::hours(1), &stop));
  CHECK(wait_unless_stopped(milliseconds(1), nullptr));
}
