// A journal in segments beside a state on a server: each holds whole lines, begins by naming the state that
// the journal belongs to and which segment it is, and is never changed. Names are RUN-NUMBER, both in
// hexadecimal digits; RUN begins with the time, so that names sort as the segments were written. Several are
// written concurrently; each says how many were durable when it began, and of these none may be missing.
// Where no lock keeps others out, a segment without records is written from time to time, so that a run that
// waits for a provider is not taken for dead.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/state/journal_home.h"
#include "core/state/lock_holder.h"
#include "core/state/sealed_journal.h"
#include "core/state/segment_medium.h"

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

class SegmentJournals : public JournalHome {
 public:
  SegmentJournals(std::shared_ptr<Place> place, CodecPtr codec, Unseen unseen, Beats beats)
      : place_(std::move(place)), codec_(std::move(codec)), unseen_(unseen), beats_(std::move(beats)) {}
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
  Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types,
                                                bool locked) override {
    Result<JournalSeal> seal = JournalSeal::begin(*codec_);
    if (!seal) return seal.error();
    const std::string run = new_run(last_);
    last_ = segment_name(run, 0);
    const bool holds_off_all = locked && !place_->has_other_locks();
    auto medium = std::make_unique<SegmentMedium>(place_, run, base, std::move(*seal), written_,
                                                  holds_off_all ? Beats() : beats_,
                                                  locked ? place_->lock_kinds() : kNoLock);
    auto begun = JournalWriter::begin(std::move(medium), name(), base, types);
    if (!begun || holds_off_all) return begun;
    const Result<void> ok = is_alone(run);
    return ok ? begun : give_way(**begun, run, ok.error());
  }

 private:
  Result<void> is_alone(const std::string& run) const;
  Error give_way(JournalWriter& writer, const std::string& run, Error why);
  Result<void> remove_all_but(const std::string& run);
  const std::shared_ptr<Place> place_;
  const CodecPtr codec_;
  const Unseen unseen_;
  const Beats beats_;
  std::string last_;  // of the segments that were found or begun
  const std::shared_ptr<WrittenSegments> written_ = std::make_shared<WrittenSegments>();
};

// Without the lock, whoever holds it may be the one who writes the journal.
Result<std::optional<JournalHome::Left>> SegmentJournals::find(bool locked) {
  Result<std::vector<std::string>> names = journal_segments(*place_);
  const bool unseen = !names && unseen_ == Unseen::Nothing && !names.error().message.ends_with(kInterrupted);
  if (!names && !unseen) return names.error();  // it says what was looked for
  if (!unseen)
    for (const std::string& name : *names) written_->add(name);
  if (unseen || names->empty()) return std::optional<Left>();
  Left out;
  if (!locked && place_->locks()) {
    Result<std::optional<LockInfo>> holder = place_->holder();
    out.alive = !holder || (*holder && lock_holder_runs(**holder).value_or(true));
  }
  last_ = names->back();
  const Result<std::vector<std::string>> all = place_->get_segments(*names);
  if (!all) {
    Result<std::vector<std::string>> now = journal_segments(*place_);
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

// Two that begin at the same time without a lock may both have found nothing before. Whoever sees the other
// one gives way, as that one may not have seen this; if both do, nothing is lost.
Result<void> SegmentJournals::is_alone(const std::string& run) const {
  const Result<std::vector<std::string>> listed = journal_segments(*place_, true);
  if (!listed) return listed.error();
  const std::set<std::string> known = written_->names();
  for (const std::string& n : *listed)
    if (run_of(n) != run && !known.contains(n))
      return Error{
          "another run has begun to write the journal \"" + name() +
          "\" at the same time, and no lock keeps the two apart, so nothing was changed. Wait until it "
          "has finished, and run the command again"};
  return {};
}

Error SegmentJournals::give_way(JournalWriter& writer, const std::string& run, Error why) {
  writer.close();
  const std::set<std::string> all = written_->names();
  std::vector<std::string> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const std::string& n) { return run_of(n) == run; });
  if (const Result<void> ok = place_->remove_segments(own); ok)
    written_->forget(own);
  else
    log_line(LogLevel::Warn, "core", "the journal \"" + name() + "\" stays: " + ok.error().message);
  return why;
}

// Those that were found or written: what came meanwhile belongs to a run that may be at work. In their order,
// so that an intent goes before the record that answers it. The last, which names what all were committed to,
// goes last.
Result<void> SegmentJournals::remove_all_but(const std::string& run) {
  std::set<std::string> there = written_->names();
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
                                                 Beats beats) {
  return std::make_unique<SegmentJournals>(std::move(place), std::move(codec), unseen, std::move(beats));
}

}  // namespace xplan
