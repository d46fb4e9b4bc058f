// Nearest names by edit distance: the rows of a sorted list share their prefixes, so whole branches of the
// tree of prefixes are left out.
#include "core/diag/nearest.h"

#include <algorithm>

namespace xplan {
namespace {

constexpr size_t kLongest = 200;

size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// Edit distances between the prefixes of two texts, as far as they are within a limit: the row of a prefix of
// the candidate has those to each prefix of the given text. Cells far from the diagonal are never within it.
class Rows {
 public:
  Rows(std::string_view given, size_t limit)
      : given_(given), limit_(limit), width_(given.size() + 1), cells_((kLongest + 1) * width_, limit + 1) {
    for (size_t j = 0; j <= std::min(limit, given.size()); ++j) cells_[j] = j;
  }
  // Makes the row after one more character, which follows `last`; whether any cell is within the limit.
  bool extend(size_t length, char last, char c) {
    const size_t* above = &cells_[(length - 1) * width_];
    size_t* row = &cells_[length * width_];
    bool any = false;
    for (size_t j = length > limit_ ? length - limit_ : 0; j <= std::min(length + limit_, given_.size());
         ++j) {
      row[j] = above[j] + 1;
      if (j > 0) row[j] = std::min({row[j], row[j - 1] + 1, above[j - 1] + (given_[j - 1] != c)});
      if (length > 1 && j > 1 && given_[j - 1] == last && given_[j - 2] == c)
        row[j] = std::min(row[j], cells_[(length - 2) * width_ + j - 2] + 1);
      any |= row[j] <= limit_;
    }
    return any;
  }
  bool near(size_t length) const { return cells_[length * width_ + given_.size()] <= limit_; }

 private:
  const std::string_view given_;
  const size_t limit_, width_;
  std::vector<size_t> cells_;
};

}  // namespace

NearestText::NearestText(std::vector<std::string> candidates) : texts_(std::move(candidates)) {
  std::sort(texts_.begin(), texts_.end());
}

std::string_view NearestText::find(std::string_view given) const {
  if (given.size() > kLongest) return {};
  for (size_t limit = 0, end = std::min<size_t>(4, (given.size() + 1) / 2); limit < end; ++limit)
    if (std::string_view found = within(given, limit); found.data()) return found;
  return {};
}

std::string_view NearestText::within(std::string_view given, size_t limit) const {
  Rows rows(given, limit);
  std::string_view before;
  size_t known = 0;  // rows of this prefix of `before` are made
  for (auto t = texts_.begin(); t != texts_.end();) {
    const std::string_view text = *t;
    size_t length = std::min(known, common_prefix(before, text));
    bool alive = text.size() <= kLongest;
    while (alive && length < text.size()) {
      ++length;
      alive = rows.extend(length, length > 1 ? text[length - 2] : '\0', text[length - 1]);
    }
    before = text, known = length;
    if (alive && rows.near(length)) return text;
    if (alive || text.size() > kLongest)
      ++t;
    else
      t = std::partition_point(t + 1, texts_.end(),
                               [&](std::string_view s) { return s.starts_with(text.substr(0, length)); });
  }
  return {};
}

}  // namespace xplan
