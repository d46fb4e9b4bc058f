// JournalHome: where the journals of one state are kept, and what is left there by a run that ended early.
//
// Who calls it: journaled_store.cc, under the state's lock where it changes something;
// core/state/journal_file.cc and segment_journal.cc are the homes. Contract: at any moment there is at most
// one journal: the one of a run that is under way, or the one that a dead run left. Removing and replacing
// leave the old or the new one, whenever the process ends. What is written is sealed as the codec has it
// (sealed_journal.h), what is found is as it was written.  Thread-safety: one thread, but for the writer
// (journal.h).
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/crypt/codec.h"
#include "core/state/journal.h"
#include "core/state/place.h"

namespace xplan {

class JournalHome {
 public:
  virtual ~JournalHome() = default;
  virtual std::string name() const = 0;
  virtual std::string key() const { return {}; }  // that its segments are bound to; "": none, or it has none

  struct Left {
    std::shared_ptr<const std::string> text;
    bool alive = false;  // whoever writes it is still there
    bool gone = false;   // it was there a moment ago: the state may have changed, too
  };
  // `locked`: this run holds the lock of the state.
  virtual Result<std::optional<Left>> find(bool locked) = 0;
  virtual Result<void> remove() = 0;
  // Puts a journal of these intents in the place of the one that is there. False: it could not be made.
  virtual Result<bool> keep(const JournalBase& base, const std::vector<JournalRecord>& intents) = 0;
  // Says on one that was left over what it is folded into.
  virtual Result<void> commit(const JournalCommit& c) = 0;
  // What would keep one from being begun, as far as that can be seen before anybody is asked to approve.
  virtual Result<void> possible() const { return {}; }
  // Begins a new one; nothing is there that has records. Without the lock, it may have to show that its run
  // is at work.
  virtual Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types,
                                                        bool locked) = 0;
};

using CodecPtr = std::shared_ptr<crypt::Codec>;

// In a file of this machine.
std::unique_ptr<JournalHome> journal_in_file(std::string path, CodecPtr codec = crypt::Codec::plain());
Result<std::shared_ptr<JournalWriter>> create_journal_file(const std::string& path, const JournalBase& base,
                                                           const TypeSource& types,
                                                           const CodecPtr& codec = crypt::Codec::plain());
Result<void> append_commit(const std::string& path, const JournalCommit& c,
                           const CodecPtr& codec = crypt::Codec::plain());
// Written to `own`, and looked for in `other`, too: first there.
std::unique_ptr<JournalHome> journal_in_either(std::unique_ptr<JournalHome> own,
                                               std::unique_ptr<JournalHome> other);
// In segments beside the state. Whoever writes one shares the place, as segments may be under way when the
// store is done with it. Unseen: what it means that their list cannot be had.
// Of those that it names, each must be read in any case.
enum class Unseen : uint8_t { Error, Nothing };
// How a run that does not hold the lock shows that it is at work: how often (0: not at all); for how long it
// may not have, until it begins nothing more before it has seen that its segments are there, and that the
// state is the one that the journal belongs to.
struct Beats {
  std::chrono::milliseconds every{0}, doubt{0};
  std::function<Result<bool>()> is_still = {};  // asked while changes are made; null: it is
};
std::unique_ptr<JournalHome> journal_in_segments(std::shared_ptr<Place> place,
                                                 CodecPtr codec = crypt::Codec::plain(),
                                                 Unseen unseen = Unseen::Error, Beats beats = {});

}  // namespace xplan
