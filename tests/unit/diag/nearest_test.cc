// Nearest names against comparing with every candidate, over random names.
#include "core/diag/nearest.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/diag/diagnostic.h"

using namespace xplan;

TEST_CASE("nearest: the answer is that of comparing with every candidate in order") {
  std::minstd_rand random(7);
  auto word = [&](size_t longest) {
    std::string s(random() % (longest + 1), ' ');
    for (char& c : s) c = static_cast<char>('a' + random() % 3);
    return s;
  };
  size_t found = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> candidates;
    for (size_t n = random() % 60; n > 0; --n) candidates.push_back(word(9));
    candidates.push_back(std::string(199, 'a') + word(3));
    std::sort(candidates.begin(), candidates.end());
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    const NearestText nearest(candidates);
    for (int i = 0; i < 20; ++i) {
      const std::string given = i ? word(10) : std::string(198, 'a') + word(4);
      CAPTURE(given);
      CHECK(nearest.find(given) == did_you_mean(given, views));
      found += !nearest.find(given).empty();
    }
  }
  CHECK(found > 1000);
}

TEST_CASE("nearest: swapped neighbours are one edit") {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"plna", "plan"}, {"lsit", "list"}, {"otu", "out"},   {"aplpy", "apply"}, {"paln", "plan"},
      {"nalp", ""},     {"ol", ""},       {"lits", "list"}, {"tuo", ""}};
  const std::vector<std::string> candidates{"apply", "list", "out", "plan"};
  const NearestText nearest(candidates);
  for (const auto& [given, found] : rows) {
    CAPTURE(given);
    CHECK(did_you_mean(given, {candidates.begin(), candidates.end()}) == found);
    CHECK(nearest.find(given) == found);
  }
}

TEST_CASE("nearest: many questions about many candidates") {
  std::vector<std::string> candidates;
  for (int i = 0; i < 100000; ++i) candidates.push_back("aws_instance.web[" + std::to_string(i) + "]");
  const NearestText nearest(std::move(candidates));
  for (int i = 0; i < 2000; ++i) {
    CHECK(nearest.find("aws_instance.wep[" + std::to_string(i * 50) + "]") ==
          "aws_instance.web[" + std::to_string(i * 50) + "]");
    CHECK(nearest.find("aws_vpc.main" + std::to_string(i)) == "");
  }
}
