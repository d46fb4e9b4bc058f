// Pairing: which element of an old sequence stands beside which element of a new one.
//
// Who calls it: diffs of lists, of JSON arrays and of the lines of strings.
// Rule: the longest common subsequence stays; what is left over in the same place is removed and added,
// except that two "openable" elements (objects) there become one changed element. Sequences of one length, of
// which an old element is nowhere in the new one, are compared place by place instead. Cost: equal ends are
// cut off first, then what only one side has. The rest, up to kMaxCells, takes a step for each 64 cells of
// old × new, which is at most 2,000 for an element, and the room of twice the square root of old rows of new
// bits; beyond that only elements that occur once on both sides are anchors, in O(n log n). Thread-safety:
// pure functions.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace xplan::render {

// Elements are given as class numbers: equal elements have equal numbers.
struct Sequence {
  std::vector<uint32_t> classes;
  std::vector<bool> openable;  // empty: none is
};
inline constexpr int64_t kNone = -1;
using IndexPair = std::pair<int64_t, int64_t>;  // kNone on one side: removed or added

inline constexpr uint64_t kMaxCells = 10'000'000'000;

std::vector<uint32_t> common_subsequence(std::span<const uint32_t> before, std::span<const uint32_t> after,
                                         uint64_t max_cells = kMaxCells);
std::vector<IndexPair> pair_up(const Sequence& before, const Sequence& after);

// Whether place-by-place comparison applies.
bool comparable_by_place(const Sequence& before, const Sequence& after);

}  // namespace xplan::render
