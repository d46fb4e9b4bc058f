// Reads a journal: checks the digests of its lines, which of them belong together, and whether any is
// missing.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/state/instance_json.h"
#include "core/state/journal.h"
#include "core/state/journal_line.h"
#include "core/state/lock.h"

namespace xplan {
namespace {

class JournalReader {
 public:
  JournalReader(std::shared_ptr<const std::string> text, std::string_view key)
      : text_(text), instances_(text), key_(key) {}

  Result<JournalContent> read() {
    std::string_view all = *text_;
    for (size_t at = 0; at < all.size();) {
      if (all[at] == '\n') {
        ++at;
        continue;
      }
      std::string_view json = line_at(at);
      if (json.data()) {
        if (!take(json)) return Error{problem_};
        out_.damaged |= bad_place_ || std::exchange(gap_, false);
        at += 18 + json.size() + 1;
        continue;
      }
      const size_t end = std::min(all.find('\n', at), all.size());
      (all.substr(at, end - at) == kMissingLines ? gap_ : bad_place_) = true;
      at = end + 1;
    }
    out_.damaged |= first_missing_ <= last_.after;
    // Only in a file may the last line be one that was not completed: segments are there as a whole.
    out_.damaged |= last_.number > 0 && (bad_place_ || gap_);
    if (!out_.damaged && uncounted_from_ < out_.records.size()) drop_uncounted();
    const bool only_commits = !out_.commits.empty() && out_.records.empty() && !out_.damaged;
    if (!out_.empty || only_commits) return std::move(out_);  // what they were about is removed
    if (!out_.commits.empty() || !out_.records.empty())
      return Error{"its first record, which names the state it belongs to, is damaged"};
    if (!first_begun(all)) return Error{"it is not a journal of an apply"};
    return std::move(out_);
  }

 private:
  // Whoever announced something behind what is missing was never told that it counts, and so did not begin
  // it; nor does what goes with it, or what needed no announcement. What a provider answered counts wherever
  // it stands, with all that it goes with, and so does what takes back something from before.
  void drop_uncounted() {
    const auto& all = out_.records;
    const size_t from = std::min(uncounted_from_, all.size());
    Places announced, deposed;
    std::unordered_set<std::string> answered;
    for (size_t n = 0; n < all.size(); ++n) {
      if (all[n].kind == JournalRecord::Kind::Intent) announced.insert({all[n].addr, all[n].deposed});
      if (n < from && all[n].kind == JournalRecord::Kind::Depose)
        deposed.insert({all[n].addr, all[n].deposed});
      const std::optional<ObjectPlace> place = place_answered(all[n]);
      if (n >= from && place && all[n].kind != JournalRecord::Kind::Restore && announced.contains(*place))
        answered.insert(all[n].addr.text());
    }
    std::vector<JournalRecord> kept;
    std::vector<uint64_t> before;  // how many are kept of those until each
    for (size_t n = 0; n < all.size(); ++n) {
      before.push_back(kept.size());
      const bool restores = all[n].kind == JournalRecord::Kind::Restore;
      if (n < from || answered.contains(all[n].addr.text()) ||
          (restores && deposed.contains({all[n].addr, all[n].deposed})))
        kept.push_back(all[n]);
    }
    before.push_back(kept.size());
    for (JournalCommit& c : out_.commits) c.records = before[*c.records];
    out_.records = std::move(kept);
  }
  // Whether anything but what only shows that the run is at work is missing before this segment.
  bool misses_records(const JournalPart& part) const {
    const auto between = [&](uint64_t number) { return number > last_.number && number < part.number; };
    const std::set<uint64_t> beats(part.beats.begin(), part.beats.end());
    return static_cast<uint64_t>(std::count_if(beats.begin(), beats.end(), between)) <
           part.number - last_.number - 1;
  }
  // Whether a text is what a first record leaves that was not completed: a part of its line, and zeros where
  // a crash of the machine came before its bytes.
  static bool first_begun(std::string_view all) {
    constexpr std::string_view kLine = "hhhhhhhh hhhhhhhh {";
    if (all == kUnreadable) return true;
    if (all.size() > kMostOfFirst || all.find('\n') != all.npos) return false;
    all = all.substr(0, all.find_last_not_of('\0') + 1);
    for (size_t i = 0; i < std::min(all.size(), kLine.size()); ++i)
      if (all[i] != 0 &&
          (kLine[i] == 'h' ? !std::isxdigit(static_cast<unsigned char>(all[i])) : all[i] != kLine[i]))
        return false;
    uint32_t length = 0;
    return all.size() < kLine.size() || !hex8(all, length) || all.size() <= kLine.size() - 1 + length;
  }
  // The JSON of a whole, undamaged line; a null view otherwise.
  std::string_view line_at(size_t at) const {
    std::string_view rest = std::string_view(*text_).substr(at);
    uint32_t length = 0, sum = 0;
    if (rest.size() < 19 || rest[8] != ' ' || rest[17] != ' ' || !hex8(rest, length) ||
        !hex8(rest.substr(9), sum))
      return {};
    if (rest.size() < 18 + size_t{length} + 1 || rest[18 + size_t{length}] != '\n') return {};
    std::string_view json = rest.substr(18, length);
    if (json.find('\n') != std::string_view::npos) return {};  // nobody who goes by lines would see the same
    return checksum(json) == sum ? json : std::string_view();
  }
  static bool hex8(std::string_view s, uint32_t& out) {
    auto r = std::from_chars(s.data(), s.data() + 8, out, 16);
    return r.ec == std::errc() && r.ptr == s.data() + 8;
  }

  bool take(std::string_view json) {
    std::optional<JournalLine> line = read_journal_line(json, instances_);
    if (!line) return false;
    switch (line->kind) {
      case JournalLine::Kind::Begin:
        return enter(line->part) && begin(line->base);
      case JournalLine::Kind::Commit: {
        const size_t before = out_.records.size();
        line->commit.records = std::min<uint64_t>(line->commit.records.value_or(before), before);
        out_.commits.push_back(std::move(line->commit));
        return true;
      }
      case JournalLine::Kind::Record:
        out_.records.push_back(std::move(line->record));
        return true;
    }
    return false;
  }

  // Segments come in the order of their names. One that was being written when its run ended may be missing,
  // though others are there that were written at the same time: nobody relied on it. Of a run that was
  // followed by another one, any may be gone: the other one has what is still needed of it.
  bool enter(const JournalPart& part) {
    if (part.number == 0) return true;  // a journal in a file, or of a former version
    if (!key_.empty() && part.key != key_) {
      problem_ = "its segments " + shown_foreign(part.run) + "-… were written for the state \"" +
                 shown_foreign(part.key) +
                 "\", not for this one. Move them back to where they were, or remove them";
      return false;
    }
    if (part.run != last_.run) begin_run();
    if (part.number <= last_.number) out_.damaged = true;
    if (part.number > last_.number + 1) {
      first_missing_ = std::min(first_missing_, last_.number + 1);
      // A former version does not say what of that had no records.
      if (!part.locks.empty() && misses_records(part))
        uncounted_from_ = std::min(uncounted_from_, out_.records.size());
      gap_ = false;
    }
    const uint64_t after = std::max(last_.after, part.after);
    out_.part = last_ = part;
    last_.after = after;
    return true;
  }

  // What only shows that a run is at work, and arrived after its journal was taken in and removed, must not
  // stand in the way of the run that followed. Records that did are told of by the error that they cause.
  void begin_run() {
    if (first_missing_ == 1 && last_.after >= 1 && out_.records.size() == before_run_.records) {
      out_.commits.resize(before_run_.commits);
      out_.base = before_run_.base, out_.empty = before_run_.empty;
    }
    before_run_ = {out_.records.size(), out_.commits.size(), out_.base, out_.empty};
    last_ = {}, first_missing_ = UINT64_MAX, uncounted_from_ = SIZE_MAX;
  }

  // Every segment of a journal begins with this. Another base may only be what all until here was committed
  // to: that is what then follows.
  bool begin(const JournalBase& base) {
    const auto is = [&](const auto& other) {
      return base.lineage == other.lineage && base.serial == other.serial &&
             (!base.digest || !other.digest || base.digest == other.digest);
    };
    const bool committed = !out_.commits.empty() && is(out_.commits.back());
    if (!out_.empty && !is(out_.base) && !committed) {
      problem_ = "it has records of two runs that began with different states";
      return false;
    }
    if (out_.empty && !out_.commits.empty() && !committed) {
      problem_ = "it says that its records were written to the state before the records themselves";
      return false;
    }
    if (out_.empty || !is(out_.base)) {
      out_.records.clear(), out_.commits.clear();
      if (uncounted_from_ != SIZE_MAX) uncounted_from_ = 0;
      before_run_ = {};
    }
    out_.empty = false;
    out_.base = base;
    return true;
  }

  using Places = std::unordered_set<ObjectPlace, ObjectPlace::Hash>;
  struct Before {
    size_t records = 0, commits = 0;
    JournalBase base = {};
    bool empty = true;
  };
  std::shared_ptr<const std::string> text_;
  InstanceReader instances_;
  const std::string_view key_;
  JournalContent out_;
  bool bad_place_ = false, gap_ = false;  // before this line; gap: lines are missing
  JournalPart last_;                      // the segment this line is in
  Before before_run_;                     // that this segment is of
  uint64_t first_missing_ = UINT64_MAX;   // of its run
  size_t uncounted_from_ = SIZE_MAX;      // of the records: those behind it
  std::string problem_ = "it contains a record that this version cannot read";
};

}  // namespace

Result<JournalContent> read_journal(std::shared_ptr<const std::string> text, std::string_view key) {
  return JournalReader(std::move(text), key).read();
}

}  // namespace xplan
