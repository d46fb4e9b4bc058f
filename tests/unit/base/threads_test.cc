// Work on several threads, and what it throws.
#include "core/base/threads.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>

using namespace xplan;

TEST_CASE("threads: an exception comes out when all have returned, the first by number") {
  for (size_t n : {size_t{1}, size_t{2}, size_t{8}}) {
    std::atomic<size_t> returned = 0;
    std::string thrown;
    try {
      run_concurrently(n, [&](size_t i) {
        ++returned;
        if (i + 2 >= n) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& e) {
      thrown = e.what();
    }
    CHECK(returned == n);
    CHECK(thrown == std::to_string(n < 2 ? 0 : n - 2));
  }
}
