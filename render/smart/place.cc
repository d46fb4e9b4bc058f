// Places the elements of two lists: what both have, what moved, what changed inside. Which elements are most
// like each other: nearest.cc.
#include "render/smart/place.h"

#include <algorithm>
#include <unordered_map>

namespace xplan::render {

namespace {

constexpr uint64_t kMostListCells = 400'000'000;  // of the table of a list's common subsequence

using Partners = std::vector<int64_t>;

void pair(Partners& new_of_old, std::vector<bool>& taken, size_t i, size_t j) {
  new_of_old[i] = static_cast<int64_t>(j);
  taken[j] = true;
}

void pair_common(const Sequence& olds, const Sequence& news, Partners& new_of_old, std::vector<bool>& taken) {
  size_t i = 0, j = 0;
  for (uint32_t c : common_subsequence(olds.classes, news.classes, kMostListCells)) {
    while (olds.classes[i] != c) ++i;
    while (news.classes[j] != c) ++j;
    pair(new_of_old, taken, i++, j++);
  }
}

// A sensitive element has no equal among others: that would tell what it is.
void pair_equal(const Sequence& olds, const Sequence& news, std::span<const Item> before,
                std::span<const Item> after, Partners& new_of_old, std::vector<bool>& taken) {
  std::unordered_multimap<uint32_t, size_t> free;
  for (size_t j = news.classes.size(); j-- > 0;)
    if (!taken[j] && !after[j].sensitive) free.emplace(news.classes[j], j);
  for (size_t i = 0; i < new_of_old.size(); ++i) {
    if (new_of_old[i] != kNone || before[i].nil() || before[i].sensitive) continue;
    auto it = free.find(olds.classes[i]);
    if (it == free.end()) continue;
    pair(new_of_old, taken, i, it->second);
    free.erase(it);
  }
}

size_t common_ends(std::string_view a, std::string_view b) {
  size_t shorter = std::min(a.size(), b.size()), head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return head + tail;
}

bool same_identity(const Item& a, const Item& b) {
  for (size_t i = 0; i < a.keys.size(); ++i) {
    if (!identifies(a.keys[i])) continue;
    const Item* other = b.find(a.keys[i]);
    if (other && !equal(a.items[i], *other)) return false;
  }
  return true;
}

bool share_member(const Item& a, const Item& b) {
  for (size_t i = 0; i < a.keys.size(); ++i) {
    const Item* other = b.find(a.keys[i]);
    if (other && !other->nil() && equal(a.items[i], *other)) return true;
  }
  return false;
}

// Whether what was removed and what was added in one gap reads as one thing that changed.
bool one_thing(const Item& a, const Item& b, bool alone) {
  if (a.nil() || b.nil()) return true;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Item::Kind::Object:
      return alone && same_identity(a, b) && (a.items.size() < 2 || share_member(a, b));
    case Item::Kind::Array:
      return alone;
    case Item::Kind::String:
      return 3 * common_ends(a.text, b.text) >= std::max(a.text.size(), b.text.size());
    case Item::Kind::Missing:
    case Item::Kind::Null:
    case Item::Kind::Bool:
    case Item::Kind::Number:
      return true;
  }
  return true;
}

class Walk {
 public:
  Walk(std::span<const Item> before, std::span<const Item> after, Partners& new_of_old,
       const std::vector<bool>& taken)
      : before_(before), after_(after), new_of_old_(new_of_old), stays_(keeping_order(new_of_old)) {
    old_of_new_.assign(after.size(), kNone);
    for (size_t i = 0; i < before.size(); ++i)
      if (new_of_old[i] != kNone) old_of_new_[static_cast<size_t>(new_of_old[i])] = static_cast<int64_t>(i);
    out_.reserve(std::max(before.size(), taken.size()));
  }
  std::vector<Placement> all() {
    size_t i = 0, j = 0;
    while (true) {
      size_t i_end = i;
      while (i_end < before_.size() && !stays_[i_end]) ++i_end;
      const bool last = i_end == before_.size();
      size_t j_end = last ? after_.size() : static_cast<size_t>(new_of_old_[i_end]);
      gap(i, i_end, j, j_end);
      if (last) return std::move(out_);
      out_.push_back({static_cast<int64_t>(i_end), static_cast<int64_t>(j_end)});
      i = i_end + 1, j = j_end + 1;
    }
  }

 private:
  // Between two that keep their order.
  void gap(size_t i, size_t i_end, size_t j, size_t j_end) {
    std::vector<size_t> removed, added;
    for (size_t k = i; k < i_end; ++k)
      if (new_of_old_[k] == kNone) removed.push_back(k);
    for (size_t k = j; k < j_end; ++k)
      if (old_of_new_[k] == kNone) added.push_back(k);
    if (removed.size() == added.size()) {
      for (size_t k = 0; k < removed.size(); ++k) {
        if (!one_thing(before_[removed[k]], after_[added[k]], removed.size() == 1)) continue;
        new_of_old_[removed[k]] = static_cast<int64_t>(added[k]);
        old_of_new_[added[k]] = static_cast<int64_t>(removed[k]);
        stays_[removed[k]] = true;
      }
    }
    for (size_t k : removed)
      if (new_of_old_[k] == kNone) out_.push_back({static_cast<int64_t>(k), kNone});
    for (size_t k = j; k < j_end; ++k) {
      const int64_t old = old_of_new_[k];
      out_.push_back({old, static_cast<int64_t>(k), old != kNone && !stays_[static_cast<size_t>(old)]});
    }
  }

  std::span<const Item> before_, after_;
  Partners& new_of_old_;
  Partners old_of_new_;
  std::vector<bool> stays_;
  std::vector<Placement> out_;
};

}  // namespace

std::vector<bool> keeping_order(std::span<const int64_t> new_of_old) {
  std::vector<size_t> tails, previous(new_of_old.size(), SIZE_MAX);
  for (size_t i = 0; i < new_of_old.size(); ++i) {
    if (new_of_old[i] == kNone) continue;
    auto it = std::lower_bound(tails.begin(), tails.end(), new_of_old[i],
                               [&](size_t t, int64_t at) { return new_of_old[t] < at; });
    if (it != tails.begin()) previous[i] = *(it - 1);
    if (it == tails.end())
      tails.push_back(i);
    else
      *it = i;
  }
  std::vector<bool> out(new_of_old.size());
  for (size_t i = tails.empty() ? SIZE_MAX : tails.back(); i != SIZE_MAX; i = previous[i]) out[i] = true;
  return out;
}

std::vector<Placement> place_in_list(std::span<const Item> before, std::span<const Item> after,
                                     const Sequence& olds, const Sequence& news) {
  Partners new_of_old(before.size(), kNone);
  std::vector<bool> taken(after.size());
  pair_common(olds, news, new_of_old, taken);
  pair_equal(olds, news, before, after, new_of_old, taken);
  pair_nearest(before, after, new_of_old, taken);
  return Walk(before, after, new_of_old, taken).all();
}

}  // namespace xplan::render
