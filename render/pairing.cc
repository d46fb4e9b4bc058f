#include "render/pairing.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace xplan::render {

namespace {

// Two bits a cell: where the walk back from the end goes.
enum Step : uint8_t { Up, Left, Match };

class Table {
 public:
  Table(size_t width, size_t height) : width_(width), bits_((width * height + 3) / 4) {}
  void set(size_t x, size_t y, Step s) {
    size_t i = y * width_ + x;
    bits_[i / 4] = static_cast<uint8_t>(bits_[i / 4] | s << (i % 4 * 2));
  }
  Step get(size_t x, size_t y) const {
    size_t i = y * width_ + x;
    return static_cast<Step>(bits_[i / 4] >> (i % 4 * 2) & 3);
  }

 private:
  size_t width_;
  std::vector<uint8_t> bits_;
};

// Of several longest subsequences the one is taken that a walk back from the end finds when it prefers, at
// equal length, to leave out elements of `after` first. Reviewers know that choice.
void by_table(std::span<const uint32_t> before, std::span<const uint32_t> after, std::vector<uint32_t>& out) {
  Table table(before.size(), after.size());
  std::vector<uint32_t> row(before.size() + 1), above(before.size() + 1);
  for (size_t y = 0; y < after.size(); ++y) {
    std::swap(row, above);
    row[0] = 0;
    for (size_t x = 0; x < before.size(); ++x) {
      if (before[x] == after[y]) {
        row[x + 1] = above[x] + 1;
        table.set(x, y, Match);
      } else if (row[x] > above[x + 1]) {
        row[x + 1] = row[x];
        table.set(x, y, Left);
      } else {
        row[x + 1] = above[x + 1];
      }
    }
  }
  size_t start = out.size(), x = before.size(), y = after.size();
  while (x && y) {
    switch (table.get(x - 1, y - 1)) {
      case Match:
        out.push_back(before[--x]), --y;
        break;
      case Left:
        --x;
        break;
      case Up:
        --y;
        break;
    }
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

}  // namespace

std::vector<uint32_t> common_subsequence(std::span<const uint32_t> before, std::span<const uint32_t> after,
                                         uint64_t max_cells) {
  std::vector<uint32_t> out;
  size_t head = 0, tail = 0, shorter = std::min(before.size(), after.size());
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  out.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
  auto old_middle = before.subspan(head, before.size() - head - tail);
  auto new_middle = after.subspan(head, after.size() - head - tail);
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
