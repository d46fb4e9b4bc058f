// A journal in segments beside a state on a server: each holds whole lines, begins by naming the state that
// the journal belongs to, and is never changed. Names are RUN-NUMBER, both in hexadecimal digits; RUN begins
// with the time, so that names sort as the segments were written.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "core/state/journal_home.h"

namespace xplan {
namespace {

std::string new_run() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:012x}{}", std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
                     new_uuid().substr(0, 8));
}
std::string run_of(const std::string& segment) {
  return segment.substr(0, segment.find('-'));
}

class SegmentMedium : public JournalMedium {
 public:
  SegmentMedium(Place& place, const JournalBase& base)
      : place_(place), run_(new_run()), begin_(encode_begin(base)) {}

  // The first line is the begin itself, which every segment has.
  int write(std::string_view line) override {
    std::lock_guard guard(mutex_);
    if (line != begin_) lines_ += line;
    written_ = true;
    return 0;
  }
  int sync() override;
  Error problem(int) const override {
    std::lock_guard guard(mutex_);
    return problem_;
  }

 private:
  Place& place_;
  const std::string run_, begin_;
  unsigned number_ = 0;
  mutable std::mutex mutex_;
  std::string lines_;
  bool written_ = false;
  Error problem_;
};

int SegmentMedium::sync() {
  std::string bytes = begin_;
  {
    std::lock_guard guard(mutex_);
    if (!std::exchange(written_, false)) return 0;
    bytes += std::exchange(lines_, {});
  }
  const Result<void> ok = place_.put_segment(fmt::format("{}-{:06x}", run_, ++number_), bytes);
  if (ok) return 0;
  std::lock_guard guard(mutex_);
  problem_ = Error{"cannot write the journal beside \"" + place_.name() + "\": " + ok.error().message};
  return 1;
}

class SegmentJournals : public JournalHome {
 public:
  explicit SegmentJournals(Place& place) : place_(place) {}
  std::string name() const override { return place_.name() + ".journal"; }
  Result<std::optional<Left>> find(bool locked) override;
  Result<void> remove() override { return remove_all_but(""); }
  Result<bool> keep(const JournalBase& base, const std::vector<JournalRecord>& intents) override;
  Result<void> commit(const JournalCommit& c) override {
    return place_.put_segment(new_run() + "-000000", encode_commit(c));
  }
  Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types) override {
    return JournalWriter::begin(std::make_unique<SegmentMedium>(place_, base), name(), base, types);
  }
  std::string by_hand() const override {
    return "keep a copy of the journal, remove it, and run the command again. Each of its lines has a "
           "length, a "
           "checksum and then one change as JSON. Import objects that only the journal lists, or delete them "
           "on "
           "the provider's side";
  }

 private:
  Result<void> remove_all_but(const std::string& run);
  Place& place_;
};

// Without the lock, whoever holds it may be the one who writes the journal.
Result<std::optional<JournalHome::Left>> SegmentJournals::find(bool locked) {
  Result<std::vector<std::string>> names = place_.segments();
  if (!names) return Error{"the journal \"" + name() + "\" cannot be listed: " + names.error().message};
  if (names->empty()) return std::optional<Left>();
  Left out;
  if (!locked && place_.locks()) {
    Result<std::optional<LockInfo>> holder = place_.holder();
    out.alive = !holder || *holder;
  }
  std::sort(names->begin(), names->end());
  const Result<std::vector<std::string>> all = place_.get_segments(*names);
  if (!all) {
    Result<std::vector<std::string>> now = place_.segments();
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

// The last, which names what all were committed to, goes last.
Result<void> SegmentJournals::remove_all_but(const std::string& run) {
  Result<std::vector<std::string>> names = place_.segments();
  if (!names) return Error{"the journal \"" + name() + "\" cannot be listed: " + names.error().message};
  std::erase_if(*names, [&](const std::string& n) { return run_of(n) == run; });
  if (names->empty()) return {};
  std::sort(names->begin(), names->end());
  const std::string last = std::move(names->back());
  names->pop_back();
  Result<void> ok = place_.remove_segments(*names);
  if (ok) ok = place_.remove_segment(last);
  if (!ok) return Error{"the journal \"" + name() + "\" cannot be removed: " + ok.error().message};
  return ok;
}

// In one segment, so that it is there as a whole; until the others are gone, they say the same, and more.
Result<bool> SegmentJournals::keep(const JournalBase& base, const std::vector<JournalRecord>& intents) {
  static const NoTypes types;
  const std::string run = new_run();
  std::string bytes = encode_begin(base);
  for (const JournalRecord& r : intents) bytes += encode_record(r, types);
  if (!place_.put_segment(run + "-000001", bytes)) return false;
  if (Result<void> ok = remove_all_but(run); !ok) return ok.error();
  return true;
}

}  // namespace

std::unique_ptr<JournalHome> journal_in_segments(Place& place) {
  return std::make_unique<SegmentJournals>(place);
}

}  // namespace xplan
