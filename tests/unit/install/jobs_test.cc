// Jobs that run at once: what they tell comes in their order; how many there are; what they throw. Values
// that are made once.
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/install/jobs.h"
#include "core/install/once_map.h"

using namespace xplan::install;

namespace {

void wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

TEST_CASE("jobs run at once, and what they tell comes in their order") {
  constexpr size_t kJobs = 40;
  std::atomic<size_t> under_way{0}, most{0};
  std::vector<std::pair<size_t, int>> told;
  run_jobs(kJobs, [&](size_t job, const Tell& tell) {
    const size_t now = ++under_way;
    for (size_t m = most; now > m && !most.compare_exchange_weak(m, now);) {
    }
    tell([&, job] { told.emplace_back(job, 0); });
    wait(job % 8 == 0 ? 20 : 2);  // the first of a group ends last
    tell([&, job] { told.emplace_back(job, 1); });
    --under_way;
  });
  REQUIRE(told.size() == 2 * kJobs);
  for (size_t i = 0; i < told.size(); ++i) CHECK(told[i] == std::pair<size_t, int>(i / 2, i % 2));
  CHECK(most > 1);
  CHECK(most <= kMaxJobs);
}

TEST_CASE("the first job is heard while it runs") {
  std::atomic<bool> heard{false};
  run_jobs(1, [&](size_t, const Tell& tell) {
    tell([&] { heard = true; });
    CHECK(heard);
  });
  run_jobs(0, [](size_t, const Tell&) { FAIL("there is no job"); });
}

TEST_CASE("an exception of a job comes out when the others have ended") {
  std::atomic<int> ended{0};
  CHECK_THROWS_AS(run_jobs(10,
                           [&](size_t job, const Tell&) {
                             if (job == 3) throw std::runtime_error("x");
                             wait(5);
                             ++ended;
                           }),
                  std::runtime_error);
  CHECK(ended == 9);
}

TEST_CASE("a value is made once, and who wants another one does not wait") {
  OnceMap<int> map;
  std::atomic<int> made{0};
  std::vector<const int*> got(8);
  run_jobs(8, [&](size_t job, const Tell&) {
    got[job] = &map.get(job % 2 ? "odd" : "even", [&] {
      wait(10);
      return ++made;
    });
  });
  CHECK(made == 2);
  for (size_t i = 2; i < got.size(); ++i) CHECK(got[i] == got[i - 2]);
}
