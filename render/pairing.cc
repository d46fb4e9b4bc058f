// Longest common subsequence of two sequences, bit-parallel with bounded memory (anchors for very long
// ones), and the pairing of list elements made from it.
#include "render/pairing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace xplan::render {

namespace {

// Rows of the table of lengths, 64 cells a word. In the row of a prefix of `before`, the bit of an element of
// `after` is 0 where the longest common subsequence is longer with that element than without it.
class Rows {
 public:
  Rows(std::span<const uint32_t> before, std::span<const uint32_t> after)
      : before_(before), words_((after.size() + 63) / 64), scratch_(words_) {
    for (uint32_t y = 0; y < after.size(); ++y) places_[after[y]].push_back(y);
    for (const auto& [c, places] : places_)  // at most 64 of them: the others cost less than a row each
      if (places.size() > words_) set(dense_[c] = std::vector<uint64_t>(words_), places);
    stride_ = static_cast<size_t>(std::sqrt(static_cast<double>(before.size()))) + 1;
    std::vector<uint64_t> row = kept_.emplace_back(words_, ~uint64_t{0});
    for (size_t x = 0; x < before.size(); ++x) {
      next(row, before[x]);
      if ((x + 1) % stride_ == 0) kept_.push_back(row);
    }
  }
  // Of the first x elements of `before`. Asked from the last to the first, each row is made once more: of all
  // rows only some are kept, and those between two of them at a time.
  const std::vector<uint64_t>& at(size_t x) {
    size_t block = x / stride_;
    if (block != block_) {
      block_ = block;
      between_.assign(1, kept_[block]);
      size_t end = std::min(before_.size(), (block + 1) * stride_ - 1);
      for (size_t i = block * stride_; i < end; ++i) next(between_.emplace_back(between_.back()), before_[i]);
    }
    return between_[x - block * stride_];
  }

 private:
  static void set(std::vector<uint64_t>& bits, const std::vector<uint32_t>& places) {
    for (uint32_t y : places) bits[y / 64] |= uint64_t{1} << y % 64;
  }
  // row + (row & matches) | (row & ~matches): each match moves the next 0 above it down to itself.
  void next(std::vector<uint64_t>& row, uint32_t element) {
    auto dense = dense_.find(element);
    const auto& places = places_.find(element)->second;
    if (dense == dense_.end()) set(scratch_, places);
    const std::vector<uint64_t>& matches = dense == dense_.end() ? scratch_ : dense->second;
    uint64_t carry = 0;
    for (size_t w = 0; w < words_; ++w) {
      uint64_t old = row[w], sum = old + (old & matches[w]), with_carry = sum + carry;
      carry = (sum < old) | (with_carry < sum);
      row[w] = with_carry | (old & ~matches[w]);
    }
    if (dense == dense_.end())
      for (uint32_t y : places) scratch_[y / 64] = 0;
  }

  std::span<const uint32_t> before_;
  size_t words_, stride_ = 1, block_ = SIZE_MAX;
  std::unordered_map<uint32_t, std::vector<uint32_t>> places_;  // in `after`
  std::unordered_map<uint32_t, std::vector<uint64_t>> dense_;   // the same as bits, where that is less
  std::vector<uint64_t> scratch_;
  std::vector<std::vector<uint64_t>> kept_, between_;
};

// The last 0 below `end`, or `end` if there is none.
size_t last_zero(const std::vector<uint64_t>& row, size_t end) {
  for (size_t w = (end + 63) / 64; w-- > 0;) {
    uint64_t zeros = ~row[w];
    if (end - w * 64 < 64) zeros &= (uint64_t{1} << (end - w * 64)) - 1;
    if (zeros) return w * 64 + 63 - static_cast<size_t>(std::countl_zero(zeros));
  }
  return end;
}

// Of several longest subsequences the one is taken that a walk back from the end finds when it leaves out
// elements of `after` as long as none gets lost, and only then those of `before`. Reviewers know that choice.
void by_table(std::span<const uint32_t> before, std::span<const uint32_t> after, std::vector<uint32_t>& out) {
  Rows rows(before, after);
  size_t start = out.size(), y = after.size();
  for (size_t x = before.size(); x > 0; --x) {
    size_t last = last_zero(rows.at(x), y);
    if (last == y) break;
    y = last + 1;
    if (before[x - 1] == after[last]) out.push_back(before[x - 1]), y = last;
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
}

// For sequences too long for a table: elements that occur exactly once on each side, as many of them as are
// in the same order (the longest increasing run of their places).
void by_anchors(std::span<const uint32_t> before, std::span<const uint32_t> after,
                std::vector<uint32_t>& out) {
  struct Places {
    uint32_t before = 0, after = 0, at = 0;
  };
  std::unordered_map<uint32_t, Places> places;
  for (uint32_t c : before) ++places[c].before;
  for (size_t i = 0; i < after.size(); ++i) {
    Places& p = places[after[i]];
    ++p.after;
    p.at = static_cast<uint32_t>(i);
  }
  std::vector<uint32_t> anchors;
  for (uint32_t c : before) {
    const Places& p = places[c];
    if (p.before == 1 && p.after == 1) anchors.push_back(c);
  }
  std::vector<uint32_t> tails, previous(anchors.size());  // positions in `anchors`
  for (uint32_t i = 0; i < anchors.size(); ++i) {
    auto it = std::lower_bound(tails.begin(), tails.end(), places[anchors[i]].at,
                               [&](uint32_t t, uint32_t at) { return places[anchors[t]].at < at; });
    previous[i] = it == tails.begin() ? UINT32_MAX : *(it - 1);
    if (it == tails.end())
      tails.push_back(i);
    else
      *it = i;
  }
  size_t start = out.size();
  for (uint32_t i = tails.empty() ? UINT32_MAX : tails.back(); i != UINT32_MAX; i = previous[i])
    out.push_back(anchors[i]);
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(start), out.end());
}

// The elements of `of` that `other` has, too. The rest is never common, and changes nothing in the choice.
std::vector<uint32_t> present_in(std::span<const uint32_t> other, std::span<const uint32_t> of) {
  std::unordered_set<uint32_t> present(other.begin(), other.end());
  std::vector<uint32_t> out;
  std::copy_if(of.begin(), of.end(), std::back_inserter(out),
               [&](uint32_t c) { return present.contains(c); });
  return out;
}

}  // namespace

std::vector<uint32_t> common_subsequence(std::span<const uint32_t> before, std::span<const uint32_t> after,
                                         uint64_t max_cells) {
  std::vector<uint32_t> out;
  size_t head = 0, tail = 0, shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  out.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
  auto old_part = before.subspan(head, before.size() - head - tail);
  auto new_part = after.subspan(head, after.size() - head - tail);
  std::vector<uint32_t> old_middle = present_in(new_part, old_part),
                        new_middle = present_in(old_part, new_part);
  if (!old_middle.empty() && !new_middle.empty()) {
    if (old_middle.size() > max_cells / new_middle.size())
      by_anchors(old_middle, new_middle, out);
    else
      by_table(old_middle, new_middle, out);
  }
  out.insert(out.end(), before.end() - static_cast<std::ptrdiff_t>(tail), before.end());
  return out;
}

bool comparable_by_place(const Sequence& before, const Sequence& after) {
  if (before.classes.size() != after.classes.size()) return false;
  std::unordered_set<uint32_t> present(after.classes.begin(), after.classes.end());
  return std::any_of(before.classes.begin(), before.classes.end(),
                     [&](uint32_t c) { return !present.count(c); });
}

std::vector<IndexPair> pair_up(const Sequence& before, const Sequence& after) {
  std::vector<IndexPair> out;
  const auto& olds = before.classes;
  const auto& news = after.classes;
  if (comparable_by_place(before, after)) {
    for (size_t i = 0; i < olds.size(); ++i) out.emplace_back(i, i);
    return out;
  }
  std::vector<uint32_t> common = common_subsequence(olds, news);
  auto openable = [](const Sequence& s, size_t i) { return i < s.openable.size() && s.openable[i]; };
  size_t i = 0, j = 0, k = 0;
  while (i < olds.size() || j < news.size() || k < common.size()) {
    while (i < olds.size() && (k >= common.size() || olds[i] != common[k])) {
      bool next_is_common = j < news.size() && k < common.size() && news[j] == common[k];
      if (j < news.size() && openable(before, i) && openable(after, j) && !next_is_common) {
        out.emplace_back(i++, j++);
      } else {
        out.emplace_back(i++, kNone);
      }
    }
    while (j < news.size() && (k >= common.size() || news[j] != common[k])) out.emplace_back(kNone, j++);
    if (k < common.size()) {
      out.emplace_back(i++, j++);
      ++k;
    }
  }
  return out;
}

}  // namespace xplan::render
