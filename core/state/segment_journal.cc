// A journal in segments beside a state on a server: each holds whole lines, begins by naming the state that
// the journal belongs to and which segment it is, and is never changed. Names are RUN-NUMBER, both in
// hexadecimal digits; RUN begins with the time, so that names sort as the segments were written. Several are
// written concurrently; each says how many were durable when it began, and of these none may be missing.
// Where no lock keeps others out, a segment without records is written from time to time, so that a run that
// waits for a provider is not taken for dead.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/state/journal_home.h"
#include "core/state/journal_life.h"
#include "core/state/lock_holder.h"
#include "core/state/repeated.h"
#include "core/state/sealed_journal.h"

namespace xplan {
namespace {

// Sorts behind the segment `last`, whichever clock that one's name comes from.
std::string new_run(std::string_view last) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  auto time = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  uint64_t then = 0;
  const std::string_view digits = last.substr(0, 12);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), then, 16).ec == std::errc())
    time = std::max(time, then + 1);
  return fmt::format("{:012x}{}", time, new_uuid().substr(0, 8));
}
std::string run_of(const std::string& segment) {
  return segment.substr(0, segment.find('-'));
}

std::string segment_name(const std::string& run, uint64_t number) {
  return fmt::format("{}-{:06x}", run, number);
}

// Segments that may be there, by name; writers and whoever removes them share it.
class Written {
 public:
  void add(const std::string& name) {
    std::lock_guard guard(mutex_);
    names_.insert(name);
  }
  void forget(const std::vector<std::string>& names) {
    std::lock_guard guard(mutex_);
    for (const std::string& n : names) names_.erase(n);
  }
  std::set<std::string> names() const {
    std::lock_guard guard(mutex_);
    return names_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

class SegmentMedium : public JournalMedium {
 public:
  // `beats`: how often it shows that its run is at work; 0: never.
  SegmentMedium(std::shared_ptr<Place> place, std::string run, const JournalBase& base, JournalSeal seal,
                std::shared_ptr<Written> written, std::chrono::milliseconds beats)
      : place_(std::move(place)),
        base_(base),
        part_{place_->key(), std::move(run)},
        seal_(std::move(seal)),
        written_(std::move(written)) {
    if (beats.count() > 0) beating_.emplace(beats, [this] { beat(); });
  }
  ~SegmentMedium() override { over_ = true; }

  // The first line is the begin itself, which every segment has.
  int write(std::string_view line) override {
    std::lock_guard guard(mutex_);
    if (lines_.empty() && !begin()) return 1;
    return line == encode_begin(base_) || add(line) ? 0 : 1;
  }
  Cut cut() override {
    std::lock_guard guard(mutex_);
    written_lately_ = true;
    return {part_.number, std::exchange(lines_, {})};
  }
  int sync(const Cut& cut) override { return put(cut, {}); }
  size_t concurrent_syncs() const override { return place_->concurrent_segments(); }
  int64_t left() const override {
    std::lock_guard guard(mutex_);
    return kLargestJournal - kEndOfJournal - size_;
  }
  Error problem(int) const override {
    std::lock_guard guard(mutex_);
    return problem_;
  }

 private:
  bool begin() {
    ++part_.number;
    sign_part(part_);
    return add(encode_begin(base_, part_));
  }
  bool add(std::string_view line) {
    Result<std::string> sealed = seal_.line(line);
    if (!sealed) return problem_ = sealed.error(), false;
    const size_t before = lines_.size();
    lines_ += lines_.empty() ? seal_.header() + *sealed : *sealed;
    size_ += static_cast<int64_t>(lines_.size() - before);
    return true;
  }

  void beat();
  int put(const Cut& cut, const net::Ending& how);

  const std::shared_ptr<Place> place_;
  const JournalBase base_;
  JournalPart part_;                 // that the next segment begins with
  std::set<uint64_t> durable_ = {};  // behind part_.after
  int64_t size_ = 0;                 // of all
  mutable std::mutex mutex_;
  JournalSeal seal_;
  std::string lines_;  // of the next segment
  Error problem_;
  const std::shared_ptr<Written> written_;
  bool written_lately_ = false;      // since the last beat
  Cut missed_;                       // a beat that did not arrive
  std::atomic<bool> over_{false};    // what only shows that the run is at work is of no use any more
  std::optional<Repeated> beating_;  // last: nothing is written once it is gone
};

// What other threads have begun to write says the same.
void SegmentMedium::beat() {
  {
    std::lock_guard guard(mutex_);
    if (std::exchange(written_lately_, false) || !lines_.empty()) return;
    if (missed_.bytes.empty()) {
      if (!begin()) return;
      missed_ = {part_.number, std::exchange(lines_, {})};
    }
  }
  net::Ending how(&over_);
  how.once = true;  // the next one is the next attempt
  if (put(missed_, how) == 0) missed_ = {};
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

class SegmentJournals : public JournalHome {
 public:
  SegmentJournals(std::shared_ptr<Place> place, CodecPtr codec, Unseen unseen,
                  std::chrono::milliseconds beats)
      : place_(std::move(place)), codec_(std::move(codec)), unseen_(unseen), beats_(beats) {}
  std::string name() const override { return place_->journal_name(); }
  std::string key() const override { return place_->key(); }
  Result<std::optional<Left>> find(bool locked) override;
  Result<void> remove() override { return remove_all_but(""); }
  Result<bool> keep(const JournalBase& base, const std::vector<JournalRecord>& intents) override;
  Result<void> commit(const JournalCommit& c) override {
    const Result<std::string> lines = seal_lines(*codec_, {encode_commit(c)});
    last_ = segment_name(new_run(last_), 0);
    written_->add(last_);
    return lines ? place_->put_segment(last_, *lines) : lines.error();
  }
  Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types) override {
    Result<JournalSeal> seal = JournalSeal::begin(*codec_);
    if (!seal) return seal.error();
    const std::string run = new_run(last_);
    last_ = segment_name(run, 0);
    return JournalWriter::begin(
        std::make_unique<SegmentMedium>(place_, run, base, std::move(*seal), written_,
                                        place_->locks() ? std::chrono::milliseconds(0) : beats_),
        name(), base, types);
  }

 private:
  Result<void> remove_all_but(const std::string& run);
  const std::shared_ptr<Place> place_;
  const CodecPtr codec_;
  const Unseen unseen_;
  const std::chrono::milliseconds beats_;
  std::string last_;     // of the segments that were found or begun
  bool looked_ = false;  // for those of others, under the lock: no more of them can come
  const std::shared_ptr<Written> written_ = std::make_shared<Written>();
};

// Without the lock, whoever holds it may be the one who writes the journal.
Result<std::optional<JournalHome::Left>> SegmentJournals::find(bool locked) {
  Result<std::vector<std::string>> names = place_->segments();
  const bool unseen = !names && unseen_ == Unseen::Nothing && !names.error().message.ends_with(kInterrupted);
  if (!names && !unseen) return names.error();  // it says what was looked for
  looked_ = locked && !unseen;
  if (!unseen)
    for (const std::string& name : *names) written_->add(name);
  if (unseen || names->empty()) return std::optional<Left>();
  Left out;
  if (!locked && place_->locks()) {
    Result<std::optional<LockInfo>> holder = place_->holder();
    out.alive = !holder || (*holder && lock_holder_runs(**holder).value_or(true));
  }
  std::sort(names->begin(), names->end());
  last_ = names->back();
  const Result<std::vector<std::string>> all = place_->get_segments(*names);
  if (!all) {
    Result<std::vector<std::string>> now = place_->segments();
    if (now) std::sort(now->begin(), now->end());
    if (!now || std::includes(now->begin(), now->end(), names->begin(), names->end()))
      return Error{"the journal \"" + name() + "\" cannot be read: " + all.error().message};
    out.gone = true;
    return std::optional(std::move(out));
  }
  std::string text;
  for (const std::string& segment : *all) text += segment;
  out.text = std::make_shared<const std::string>(std::move(text));
  return std::optional(std::move(out));
}

// In their order, so that an intent goes before the record that answers it. The last, which names what all
// were committed to, goes last.
Result<void> SegmentJournals::remove_all_but(const std::string& run) {
  std::set<std::string> there = written_->names();
  if (!looked_) {
    Result<std::vector<std::string>> listed = place_->segments(true);
    if (!listed) return listed.error();
    there.insert(listed->begin(), listed->end());
  }
  std::erase_if(there, [&](const std::string& n) { return run_of(n) == run; });
  const std::vector<std::string> names(there.begin(), there.end());
  if (names.empty()) return {};
  constexpr std::ptrdiff_t kTogether = 64;
  Result<void> ok;
  for (auto from = names.begin(), last = names.end() - 1; ok && from != last;) {
    const auto to = from + std::min(kTogether, last - from);
    ok = place_->remove_segments({from, to});
    from = to;
  }
  if (ok) ok = place_->remove_segment(names.back());
  if (ok) written_->forget(names);
  if (!ok) return Error{"the journal \"" + name() + "\" cannot be removed: " + ok.error().message};
  return ok;
}

// In one segment, so that it is there as a whole; until the others are gone, they say the same, and more.
Result<bool> SegmentJournals::keep(const JournalBase& base, const std::vector<JournalRecord>& intents) {
  static const NoTypes types;
  const std::string run = new_run(last_);
  std::vector<std::string> lines{encode_begin(base, {place_->key(), run, 1})};
  for (const JournalRecord& r : intents) lines.push_back(encode_record(r, types));
  const Result<std::string> bytes = seal_lines(*codec_, lines);
  written_->add(segment_name(run, 1));
  const Result<void> put = bytes ? place_->put_segment(segment_name(run, 1), *bytes) : bytes.error();
  if (!put) {
    log_line(LogLevel::Warn, "core", "creations of unknown outcome are not kept: " + put.error().message);
    return false;
  }
  if (Result<void> ok = remove_all_but(run); !ok) return ok.error();
  return true;
}

}  // namespace

std::unique_ptr<JournalHome> journal_in_segments(std::shared_ptr<Place> place, CodecPtr codec, Unseen unseen,
                                                 std::chrono::milliseconds beats) {
  return std::make_unique<SegmentJournals>(std::move(place), std::move(codec), unseen, beats);
}

}  // namespace xplan
