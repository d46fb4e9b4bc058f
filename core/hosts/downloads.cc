// The sum of all downloads under way: what each has, what is known of its size, and when it starts over.
#include "core/hosts/downloads.h"

#include <algorithm>

namespace xplan::hosts {

void Downloads::begin(const void* download) {
  std::lock_guard lock(mutex_);
  under_way_[download];
}

void Downloads::at(const void* download, uint64_t done, uint64_t total, const Progress& progress) {
  std::lock_guard lock(mutex_);
  // Another attempt starts over, but what is shown does not go back.
  Count& own = under_way_[download];
  own = {std::max(own.done, done), std::max(own.total, total)};
  Count sum = ended_;
  bool known = true;
  for (const auto& [d, c] : under_way_) {
    sum.done += c.done, sum.total += c.total;
    known &= c.total != 0;
  }
  if (progress && sum.done) progress(sum.done, known ? sum.total : 0);
}

void Downloads::end(const void* download, const Progress& progress) {
  std::lock_guard lock(mutex_);
  const Count c = under_way_[download];
  ended_.done += c.done, ended_.total += c.done;
  under_way_.erase(download);
  if (!under_way_.empty()) return;
  ended_ = {};
  if (progress) progress(0, 0);
}

}  // namespace xplan::hosts
