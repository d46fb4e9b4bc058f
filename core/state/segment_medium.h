// SegmentMedium: writes the journal of one run as segments beside the state on a server, and shows, where no
// lock does, that the run is at work.
//
// Who calls it: segment_journal.cc makes one for each run's journal; JournalWriter.  Contract: that of
// JournalMedium; a segment is never changed. Where the run is to show that it is at work, a segment begins at
// least once in that time, from a thread of its own, which ends with the medium; where the machine gives
// none, records alone show it. One that does not arrive is written anew, with its own time: the one that is
// missing is put in its place later, so that it is not taken for one that was lost. Where none has arrived
// for too long, as of a run that was paused, others may have taken in the journal: then look() sees whether
// all of it is there still, and the state is the one that it belongs to. What is written to a journal that is
// no longer there would be in the way of the next one, so nothing more is. The place is shared: it is there
// for as long as something is written.  Cost: a request for each segment. Thread-safety: as JournalMedium.
#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/state/journal_home.h"
#include "core/state/moment.h"
#include "core/state/repeated.h"
#include "core/state/sealed_journal.h"

namespace xplan {

std::string segment_name(const std::string& run, uint64_t number);

// Segments that may be there, by name; writers and whoever removes them share it.
class WrittenSegments {
 public:
  void add(const std::string& name);
  void forget(const std::vector<std::string>& names);
  std::set<std::string> names() const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

class SegmentMedium : public JournalMedium {
 public:
  SegmentMedium(std::shared_ptr<Place> place, std::string run, const JournalBase& base, JournalSeal seal,
                std::shared_ptr<WrittenSegments> written, Beats beats, std::string locks);
  ~SegmentMedium() override { over_ = true; }

  int write(std::string_view line) override;
  Cut cut() override;
  int sync(const Cut& cut) override { return put(cut, {}); }
  size_t concurrent_syncs() const override { return place_->concurrent_segments(); }
  int64_t left() const override;
  Error problem(int code) const override;
  Result<bool> in_doubt() override;
  std::string_view lost() const override;
  Result<void> look() override;

 private:
  bool begin();
  bool add(std::string_view line);
  int put(const Cut& cut, const net::Ending& how);
  void beat(std::chrono::milliseconds after);
  void note_doubt();
  Result<bool> is_there(uint64_t until);
  bool taken_in();

  const std::shared_ptr<Place> place_;
  const JournalBase base_;
  JournalPart part_;                    // that the next segment begins with
  std::set<uint64_t> durable_ = {};     // behind part_.after
  std::set<uint64_t> beats_under_way_;  // segments without records that are not durable
  std::set<uint64_t> bare_;             // segments without records
  int64_t size_ = 0;                    // of all
  mutable std::mutex mutex_;
  JournalSeal seal_;
  std::string lines_;  // of the next segment
  Error problem_;
  const std::shared_ptr<WrittenSegments> written_;
  const Beats beats_;
  std::map<uint64_t, Moment> begun_;    // segments that are not durable
  Moment last_begun_, shown_;           // the last one, and the last one that is durable
  std::chrono::milliseconds quiet_{0};  // for which others could take the run for dead; 0: they could not
  std::optional<Error> lost_;           // they have, or may have
  bool gone_ = false;                   // they have: the journal is no longer there
  bool failed_ = false;                 // records have: nobody cuts what is left of them
  std::vector<Cut> missed_;             // what showed that the run is at work, and did not arrive
  std::atomic<bool> over_{false};       // that is of no use any more
  std::optional<Repeated> beating_;     // last: nothing is written once it is gone
};

}  // namespace xplan
