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
                             JournalSeal seal, std::shared_ptr<WrittenSegments> written, Beats beats,
                             std::string locks)
    : place_(std::move(place)),
      base_(base),
      part_{place_->key(), std::move(run)},
      seal_(std::move(seal)),
      written_(std::move(written)),
      beats_(std::move(beats)) {
  part_.locks = std::move(locks);
  const auto look = std::max(beats_.every / 4, std::chrono::milliseconds(1));
  if (beats_.every.count() > 0) beating_.emplace(look, [this, after = beats_.every - look] { beat(after); });
}

// The first line is the begin itself, which every segment has.
int SegmentMedium::write(std::string_view line) {
  std::lock_guard guard(mutex_);
  if (lines_.empty() && !begin()) return 1;
  if (line == encode_begin(base_)) return 0;
  bare_.erase(part_.number);
  return add(line) ? 0 : 1;
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
  part_.beats.assign(beats_under_way_.begin(), beats_under_way_.end());
  sign_part(part_);
  begun_[part_.number] = last_begun_ = Moment();
  bare_.insert(part_.number);
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

// What other threads have begun to write says the same, unless it stays here because of a failure: then it is
// sent for what it says. No intent in it counts for who wrote it, as the one that failed stays before it.
void SegmentMedium::beat(std::chrono::milliseconds after) {
  Cut now;
  {
    std::lock_guard guard(mutex_);
    if (gone_ || (!lines_.empty() && !failed_) || last_begun_.ago() < after) return;
    if (lines_.empty() && !begin()) return;
    if (bare_.contains(part_.number)) beats_under_way_.insert(part_.number);
    now = {part_.number, std::exchange(lines_, {})};
  }
  net::Ending how(&over_);
  how.once = true;  // the next one is the next attempt
  missed_.push_back(std::move(now));
  while (!missed_.empty() && put(missed_.back(), how) == 0) missed_.pop_back();
}

int SegmentMedium::put(const Cut& cut, const net::Ending& how) {
  if (cut.bytes.empty()) return 0;
  if (how.once && over_) return 1;
  if (taken_in()) return 1;
  const std::string name = segment_name(part_.run, cut.number);
  written_->add(name);
  const Result<void> ok = place_->put_segment(name, cut.bytes, how);
  std::unique_lock lock(mutex_);
  if (ok && gone_ && bare_.contains(cut.number)) {
    lock.unlock();
    return (void)place_->remove_segment(name), 0;
  }
  if (ok) {
    note_doubt();  // it ends what has lasted until now
    if (const auto it = begun_.find(cut.number); it != begun_.end()) {
      if (it->second.ago() < shown_.ago()) shown_ = it->second;
      begun_.erase(it);
    }
    durable_.insert(cut.number);
    beats_under_way_.erase(cut.number);
    while (durable_.erase(part_.after + 1)) ++part_.after;
    return 0;
  }
  if (!how.once) failed_ = true, problem_ = ok.error();  // it says what was to be written where
  return 1;
}

void SegmentMedium::note_doubt() {
  if (beats_.every.count() == 0) return;
  if (const auto quiet = shown_.ago(); quiet >= beats_.doubt) quiet_ = std::max(quiet_, quiet);
}

Result<bool> SegmentMedium::in_doubt() {
  std::lock_guard guard(mutex_);
  if (lost_) return *lost_;
  note_doubt();
  return quiet_.count() > 0;
}

std::string_view SegmentMedium::lost() const {
  std::lock_guard guard(mutex_);
  return lost_ ? "Another run may have taken over" : std::string_view();
}

// Where it is not: what has come since, and has no records, is removed, also what may have come after the
// list. What has some tells of objects.
Result<bool> SegmentMedium::is_there(uint64_t until) {
  const Result<std::vector<std::string>> names = place_->segments(true);
  if (!names) return names.error();
  const std::set<std::string> there(names->begin(), names->end());
  const auto missing = [&](uint64_t n) { return !there.contains(segment_name(part_.run, n)); };
  uint64_t n = 1;
  while (n <= until && !missing(n)) ++n;
  if (n > until) return true;
  std::vector<std::string> strays;
  {
    std::lock_guard guard(mutex_);
    gone_ = true;
    for (const uint64_t b : bare_)
      if (b > until || !missing(b)) strays.push_back(segment_name(part_.run, b));
  }
  if (!strays.empty()) (void)place_->remove_segments(strays);
  return false;
}

// As long as all of it is there, or nobody can tell, what has begun is recorded also in a run that is lost.
bool SegmentMedium::taken_in() {
  uint64_t until = 0;
  {
    std::lock_guard guard(mutex_);
    if (!lost_) return false;
    if (gone_) return problem_ = *lost_, true;
    until = part_.after;
  }
  const Result<bool> there = is_there(until);
  if (!there || *there) return false;
  std::lock_guard guard(mutex_);
  return problem_ = *lost_, true;
}

// Whoever takes in a journal writes the state, and then removes the journal, from its first segment on.
Result<void> SegmentMedium::look() {
  std::chrono::milliseconds quiet;
  uint64_t until = 0;
  {
    std::lock_guard guard(mutex_);
    quiet = std::exchange(quiet_, {}), until = part_.after;
  }
  const auto end = [&](const std::string& why) -> Error {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(quiet).count();
    std::lock_guard guard(mutex_);
    lost_ = Error{fmt::format("nothing has shown for {} seconds that this run is at work, {}", seconds, why)};
    return *lost_;
  };
  const auto unseen = [&](const Error& e) {
    return end("so another run may have taken over, and it cannot be seen whether one has: " + e.message);
  };
  constexpr const char* kSo = ", so another run may have begun to change the same objects";
  const Result<bool> there = is_there(until);
  if (!there) return unseen(there.error());
  if (!*there)
    return end(fmt::format("and its journal \"{}\" is no longer there{}", place_->journal_name(), kSo));
  const Result<bool> same = beats_.is_still ? beats_.is_still() : Result<bool>(true);
  if (!same) return unseen(same.error());
  if (!*same)
    return end(fmt::format("and something else has changed the state \"{}\"{}", place_->name(), kSo));
  return {};
}

}  // namespace xplan
