// Writes segments. See segment_medium.h; segment_journal.cc says what they look like.
#include "core/state/segment_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/state/journal_life.h"

namespace xplan {

std::string segment_name(const std::string& run, uint64_t number) {
  return fmt::format("{}-{:06x}", run, number);
}

void WrittenSegments::add(const std::string& name) {
  std::lock_guard guard(mutex_);
  names_.insert(name);
}

void WrittenSegments::forget(const std::vector<std::string>& names) {
  std::lock_guard guard(mutex_);
  for (const std::string& n : names) names_.erase(n);
}

std::set<std::string> WrittenSegments::names() const {
  std::lock_guard guard(mutex_);
  return names_;
}

// It looks four times as often as a segment has to begin, so that none is late.
SegmentMedium::SegmentMedium(std::shared_ptr<Place> place, std::string run, const JournalBase& base,
                             JournalSeal seal, std::shared_ptr<WrittenSegments> written,
                             std::chrono::milliseconds beats)
    : place_(std::move(place)),
      base_(base),
      part_{place_->key(), std::move(run)},
      seal_(std::move(seal)),
      written_(std::move(written)) {
  const auto look = std::max(beats / 4, std::chrono::milliseconds(1));
  if (beats.count() > 0) beating_.emplace(look, [this, after = beats - look] { beat(after); });
}

// The first line is the begin itself, which every segment has.
int SegmentMedium::write(std::string_view line) {
  std::lock_guard guard(mutex_);
  if (lines_.empty() && !begin()) return 1;
  return line == encode_begin(base_) || add(line) ? 0 : 1;
}

JournalMedium::Cut SegmentMedium::cut() {
  std::lock_guard guard(mutex_);
  return {part_.number, std::exchange(lines_, {})};
}

int64_t SegmentMedium::left() const {
  std::lock_guard guard(mutex_);
  return kLargestJournal - kEndOfJournal - size_;
}

Error SegmentMedium::problem(int) const {
  std::lock_guard guard(mutex_);
  return problem_;
}

bool SegmentMedium::begin() {
  ++part_.number;
  sign_part(part_);
  begun_ = std::chrono::steady_clock::now();
  return add(encode_begin(base_, part_));
}

bool SegmentMedium::add(std::string_view line) {
  Result<std::string> sealed = seal_.line(line);
  if (!sealed) return problem_ = sealed.error(), false;
  const size_t before = lines_.size();
  lines_ += lines_.empty() ? seal_.header() + *sealed : *sealed;
  size_ += static_cast<int64_t>(lines_.size() - before);
  return true;
}

// What other threads have begun to write says the same.
void SegmentMedium::beat(std::chrono::milliseconds after) {
  Cut now;
  {
    std::lock_guard guard(mutex_);
    if (!lines_.empty() || std::chrono::steady_clock::now() - begun_ < after || !begin()) return;
    now = {part_.number, std::exchange(lines_, {})};
  }
  net::Ending how(&over_);
  how.once = true;  // the next one is the next attempt
  missed_.push_back(std::move(now));
  while (!missed_.empty() && put(missed_.back(), how) == 0) missed_.pop_back();
}

int SegmentMedium::put(const Cut& cut, const net::Ending& how) {
  if (cut.bytes.empty()) return 0;
  const std::string name = segment_name(part_.run, cut.number);
  written_->add(name);
  const Result<void> ok = place_->put_segment(name, cut.bytes, how);
  std::lock_guard guard(mutex_);
  if (ok) {
    durable_.insert(cut.number);
    while (durable_.erase(part_.after + 1)) ++part_.after;
    return 0;
  }
  if (!how.once) problem_ = ok.error();  // it says what was to be written where
  return 1;
}

}  // namespace xplan
