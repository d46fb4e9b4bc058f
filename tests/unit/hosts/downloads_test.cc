// How far downloads have come together.
#include "core/hosts/downloads.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

using namespace xplan;

TEST_CASE("downloads: one sum of all, which does not go back with another attempt") {
  hosts::Downloads downloads;
  std::vector<std::pair<uint64_t, uint64_t>> told;
  auto progress = [&](uint64_t done, uint64_t total) { told.emplace_back(done, total); };
  const int a = 0, b = 0;
  downloads.begin(&a);
  downloads.begin(&b);
  downloads.at(&a, 5, 10, progress);  // nothing is known of b
  downloads.at(&b, 1, 20, progress);
  downloads.at(&a, 0, 0, progress);  // again
  downloads.at(&a, 3, 10, progress);
  downloads.at(&a, 7, 10, progress);
  downloads.end(&a, progress);
  downloads.at(&b, 2, 20, progress);
  downloads.end(&b, progress);
  CHECK(told == std::vector<std::pair<uint64_t, uint64_t>>{
                    {5, 0}, {6, 30}, {6, 30}, {6, 30}, {8, 30}, {9, 27}, {0, 0}});
}
