// Pairing of sequences, against a slow and obviously right longest common subsequence.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "render/pairing.h"

using namespace xplan::render;

namespace {

Sequence sequence(const std::string& s) {
  Sequence out;
  for (char c : s) {
    out.classes.push_back(static_cast<uint32_t>(c));
    out.openable.push_back(c >= 'A' && c <= 'Z');  // capitals are objects
  }
  return out;
}

std::string pairs(const std::string& before, const std::string& after) {
  std::string out;
  for (auto [i, j] : pair_up(sequence(before), sequence(after))) {
    if (!out.empty()) out += ' ';
    out += i == kNone   ? std::string("+") + after[static_cast<size_t>(j)]
           : j == kNone ? std::string("-") + before[static_cast<size_t>(i)]
           : before[static_cast<size_t>(i)] == after[static_cast<size_t>(j)]
               ? std::string(1, before[static_cast<size_t>(i)])
               : std::string(1, before[static_cast<size_t>(i)]) + ">" + after[static_cast<size_t>(j)];
  }
  return out;
}

size_t longest(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<size_t> row(b.size() + 1);
  for (uint32_t x : a) {
    size_t diagonal = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t old = row[j + 1];
      row[j + 1] = x == b[j] ? diagonal + 1 : std::max(row[j], row[j + 1]);
      diagonal = old;
    }
  }
  return row.back();
}

// The choice among several longest ones, cell by cell: a walk back from the end that leaves out elements of
// `b` unless that makes it shorter.
std::vector<uint32_t> chosen(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t x = 1; x <= a.size(); ++x)
    for (size_t y = 1; y <= b.size(); ++y)
      length[x][y] =
          a[x - 1] == b[y - 1] ? length[x - 1][y - 1] + 1 : std::max(length[x - 1][y], length[x][y - 1]);
  std::vector<uint32_t> out;
  for (size_t x = a.size(), y = b.size(); x && y;) {
    if (a[x - 1] == b[y - 1])
      out.push_back(a[x - 1]), --x, --y;
    else if (length[x - 1][y] > length[x][y - 1])
      --x;
    else
      --y;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool inside(const std::vector<uint32_t>& part, const std::vector<uint32_t>& whole) {
  size_t i = 0;
  for (uint32_t c : whole)
    if (i < part.size() && part[i] == c) ++i;
  return i == part.size();
}

}  // namespace

TEST_CASE("pairing: what stands beside what") {
  struct Row {
    const char *before, *after, *expected;
  };
  for (const Row& r : {
           Row{"", "", ""},
           Row{"abc", "abc", "a b c"},
           Row{"abc", "ac", "a -b c"},
           Row{"ac", "abc", "a +b c"},
           Row{"abc", "abx", "a b c>x"},    // one length, and c is gone: place by place
           Row{"abc", "bca", "-a b c +a"},  // one length, but nothing is gone
           Row{"AB", "CD", "A>C B>D"},
           Row{"A", "BC", "A>B +C"},  // objects in one place become one changed object
           Row{"AB", "C", "A>C -B"},
           Row{"xA", "xBB", "x A>B +B"},
           Row{"a", "xyz", "-a +x +y +z"},
       }) {
    INFO(r.before << " / " << r.after);
    CHECK(pairs(r.before, r.after) == r.expected);
  }
}

TEST_CASE("pairing: the common subsequence is common and the longest") {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    auto make = [&] {
      std::vector<uint32_t> v(random() % 12);
      for (uint32_t& c : v) c = random() % 4;
      return v;
    };
    std::vector<uint32_t> a = make(), b = make();
    std::vector<uint32_t> common = common_subsequence(a, b);
    CHECK(inside(common, a));
    CHECK(inside(common, b));
    CHECK(common.size() == longest(a, b));
    std::vector<uint32_t> rough = common_subsequence(a, b, 0);  // as for sequences too long for a table
    CHECK(inside(rough, a));
    CHECK(inside(rough, b));
  }
}

TEST_CASE("pairing: of several longest subsequences always the same one is taken") {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    // Few kinds: many choices; many kinds: elements of one side only. Some are longer than a word of bits.
    uint32_t kinds = 1 + random() % (round % 2 ? 4 : 150), longest = round % 10 ? 20 : 400;
    auto make = [&] {
      std::vector<uint32_t> v(1 + random() % longest);
      for (uint32_t& c : v) c = random() % kinds;
      return v;
    };
    std::vector<uint32_t> a = make(), b = make();
    // Equal ends are common whatever the choice in between.
    a.front() = 1000, b.front() = 1001, a.back() = 1002, b.back() = 1003;
    REQUIRE(common_subsequence(a, b) == chosen(a, b));
  }
}

TEST_CASE("pairing: long sequences stay affordable") {
  std::vector<uint32_t> a(300000), b;
  for (uint32_t i = 0; i < a.size(); ++i) a[i] = i;
  b = a;
  b.erase(b.begin() + 1000);
  b.insert(b.begin() + 250000, 999999999);
  CHECK(common_subsequence(a, b).size() == a.size() - 1);
  std::mt19937 random(3);
  std::shuffle(b.begin(), b.end(), random);
  CHECK(common_subsequence(a, b).size() > 500);
}
