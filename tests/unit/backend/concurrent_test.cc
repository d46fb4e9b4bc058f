// Requests about segments, several at a time: who makes which of them, and which problem counts.
#include "core/backend/concurrent.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace xplan;
using namespace xplan::backend;

TEST_CASE("segments: a slow request holds up none of the others") {
  constexpr size_t kAll = 100;
  std::atomic<size_t> done{0};
  const Result<void> all = for_each_concurrently(0, kAll, [&](size_t i) -> Result<void> {
    for (int n = 0; i == 0 && done + 1 < kAll && n < 10000; ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i == 0 && done + 1 < kAll) return Error{"others wait for it"};
    ++done;
    return {};
  });
  CHECK((all ? "" : all.error().message) == "");
}

TEST_CASE("segments: the first problem in the order of what was asked counts, and nothing more begins") {
  std::atomic<size_t> asked{0};
  const Result<void> all = for_each_concurrently(5, 1000, [&](size_t i) -> Result<void> {
    ++asked;
    if (i < 8) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(i < 10 ? 20 : 1));
    return Error{std::to_string(i)};
  });
  REQUIRE_FALSE(all);
  CHECK(all.error().message == "8");
  CHECK(asked < 100);
  CHECK(for_each_concurrently(3, 3, [](size_t) -> Result<void> { return Error{"none"}; }));
}
