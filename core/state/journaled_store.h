// JournaledStore: what is the same wherever a state lives: serial and lineage, the journal of a run that was
// killed, the rescue of a state that could not be written.
//
// Who calls it: local_store.cc and remote_store.cc are made of it; nobody else sees it.
// Contract: that of StateStore; the parts below say where the bytes and the journals are. All bytes that they
// get or give, backups and rescues among them, are as the codec encrypts them; what is in memory is plain.
// Cost, thread-safety: as StateStore.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/state/journal_home.h"
#include "core/state/journal_life.h"
#include "core/state/left_journal.h"
#include "core/state/store.h"

namespace xplan {

// In the working directory of a run, the state that it could not write.
inline constexpr std::string_view kRescue = "errored.tfstate";

class JournaledStore : public StateStore {
 public:
  JournaledStore(CodecPtr codec, const StatePaths& how)
      : codec_(std::move(codec)),
        successor_(how.successor),
        forced_(how.forced),
        finishes_(how.finishes),
        goes_on_(how.goes_on),
        rescued_(how.rescued),
        elsewhere_(how.elsewhere) {}
  bool exists() const override;
  std::string_view unsaved() const override { return unsaved_ ? *unsaved_ : std::string_view(); }
  Result<State> read(Diagnostics& diags) override;
  Result<void> write(State& s, const TypeSource& types) override;
  Result<void> replace(State& s, const TypeSource& types) override;
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;
  const std::vector<AbsInstance>& folded_tainted() const override { return tainted_; }
  const JournalRecord* unfinished_move() const override { return moving_ ? &*moving_ : nullptr; }
  std::optional<Error> not_ended() const override { return not_ended_; }
  Result<void> can_start_journal() const override;
  Abandoned abandon() override;
  const LeftJournal* unfolded() const override { return unfolded_.get(); }
  Result<std::unique_ptr<LeftJournal>> left_journal() override;
  Result<void> discard_journal(const std::string& copy) override;

 protected:
  // Where journals are.
  virtual JournalHome& journals() = 0;
  virtual const JournalHome& journals() const = 0;
  // The bytes of the state; empty: there is none. `arrival`: they are wanted there while they come, where
  // they come slowly; null: they are not.
  virtual Result<std::string> get(Arrival* arrival) = 0;
  // After a get() that failed: whether put() replaces what is there all the same.
  virtual bool replaces_unread() { return false; }
  virtual Result<void> put(const std::string& text) = 0;
  // For put() and unchanged(): somebody else has written what is there since it was read, or may have
  // (`why`).
  Error conflict(const std::string& why = {});
  // Before anything is done for a put(): whether that can be seen already.
  virtual Result<void> unchanged() { return {}; }
  // Before the first put() of a run, of what was there.
  virtual Result<void> back_up(const std::string& /*former*/) { return {}; }
  // Where what get() reads and what put() writes are not the same.
  virtual bool moves() const { return false; }
  // Nobody else changes the state. False where it has no locks: who only reads it then leaves a journal
  // alone, whose run may still be at work, and who writes it folds the journal in first.
  virtual bool lock_held() const = 0;
  virtual bool holds_off_all() const { return true; }  // the lock of this run, whoever respects any lock
  // Whether the lock of this run is one that the writer of a segment had to take, too.
  virtual bool holds_off(const JournalPart& /*other*/) const { return true; }
  virtual bool only_looks() const { return !lock_held(); }  // nothing will be written
  // What was seen under it need not be so any more.
  void lock_ended() { none_left_ = false; }
  // Whether a journal can be looked for while the state is read.
  virtual bool reads_concurrently() const { return false; }
  virtual std::string source() const { return path(); }  // that get() reads
  // Of commands that messages name: where they must be run, if not in this directory, as a sentence without
  // its full stop.
  virtual std::string elsewhere_note() const { return {}; }
  // Of a state that cannot be read: what its users can do.
  virtual Error unusable(const std::string& why, Unusable how) const = 0;
  // Writes the state with what the journal has recorded until now, from another thread while this run's
  // changes go on. One at a time; nobody else calls this store meanwhile.
  Result<void> write_snapshot(const TypeSource& types);
  // Asked for before the journal starts.
  virtual bool takes_snapshots() const { return false; }
  // Records are lost with this process until a server has them.
  virtual bool records_leave() const { return false; }
  // A file for a person to restore the state from.
  virtual Result<void> put_rescue(const std::string& path, std::string_view text) const = 0;

 private:
  Result<void> load();
  Result<void> go_on_unread(Error why);
  Result<JournalContent> content(const JournalHome::Left& left) const;
  Result<void> is_as_folded();
  Result<void> put_encrypted(const std::string& text);
  using Found = Result<std::optional<JournalHome::Left>>;
  Result<void> go_on_unlisted(const Error& why, Diagnostics& diags);
  Result<void> fold(const Found& left, Diagnostics& diags, bool last, bool& again);
  Result<void> take_committed(std::vector<JournalRecord> in_flight, bool alive, Diagnostics& diags);
  Result<void> fold_records(const JournalHome::Left& left, const JournalContent& j, const JournalLife& life,
                            Diagnostics& diags, bool last, bool& again);
  JournalLife life_in(const JournalHome::Left& left, const JournalContent& j) const;
  void leave_out_unfinished(const FoldReport& report, const JournalLife& life, Diagnostics& diags);
  const JournalCommit* written(const JournalContent& j) const;
  enum class Stored : uint8_t { New, Folded };  // Folded: a journal that stays has all of it
  Result<void> store(State& s, const TypeSource& types, Stored what = Stored::New);
  Result<void> put_with_journal(const State& s, const std::string& text);
  Error not_written(const std::string& why, const State& s, const TypeSource& types,
                    const std::shared_ptr<const std::string>& text, Stored what);
  bool save_rescue(std::string_view text, std::string& former) const;
  void rescue(const std::vector<JournalRecord>& records, Abandoned& out);
  Result<void> store_folded();
  std::string lineage_for(const State& s) const;
  Result<void> compare_with_rescue(Diagnostics& diags);
  std::string rescue_text(const std::vector<std::string>& missing, bool first, bool newer) const;
  void set_rescue_aside(const State& now);
  Error with_note(std::string text) const;
  std::string push_command(std::string_view words) const;
  std::string which_state() const;
  Result<void> end_journal();
  void note_end(const Result<void>& ended);
  Result<void> tell(const Result<void>& ended, Diagnostics& diags);
  Result<void> end_own_journal();
  Result<void> goes_on_from(uint64_t serial) const;
  Error busy(const JournalLife& life, bool adds = false) const;
  Error unusable_journal(const std::string& why) const;
  void look_at(const JournalHome::Left& left, LeftJournal& out) const;
  bool is_of_this_state(const JournalBase& base) const;
  bool fits(const JournalContent& j) const;
  bool was_rescued(const JournalContent& j) const;
  std::string misfit_text(const JournalContent& j, const JournalLife& life) const;
  Result<void> misfit(const JournalHome::Left& left, const JournalContent& j, const JournalLife& life,
                      Diagnostics& diags);
  std::string needless_text(const JournalContent& j) const;
  Result<void> discard_needless(const JournalHome::Left& left, const JournalContent& j, Diagnostics& diags);
  Result<void> take_unfinished_move(const JournalRecord& moving, Diagnostics& diags);

  const CodecPtr codec_;
  std::shared_ptr<const std::string> text_;  // as it was read or written; null before the first read
  std::shared_ptr<const std::string> unsaved_;
  State last_;                              // what it says, or what was last written
  std::optional<State> recorded_;           // last_ with what was recorded, while snapshots are taken
  std::shared_ptr<JournalWriter> journal_;  // of this run
  // For abandon(): that journal, while the state lacks its changes, and what its values are of. Under the
  // lock, which also guards the end of this time.
  std::mutex at_work_lock_;
  std::shared_ptr<JournalWriter> at_work_;
  const TypeSource* types_ = nullptr;
  std::vector<JournalRecord> unknown_;  // creations to be told of when the journal that has them ends
  std::unique_ptr<LeftJournal> unfolded_;
  std::optional<JournalRecord> moving_;
  std::optional<Error> unread_;  // why the state is not read: it is replaced by force
  std::optional<Error> misfit_;  // what keeps this run, which does not hold the lock, from changing anything
  std::shared_ptr<const std::string> left_;    // the journal as it was found, for discard_journal()
  std::shared_ptr<const std::string> folded_;  // the journal that left_over_ tells of, as it was found
  JournalPart folded_part_;                    // its last
  std::vector<AbsInstance> tainted_;
  std::optional<JournalCommit> committed_;  // what all of a journal that was left has been committed to
  std::optional<Error> not_ended_;
  std::string next_lineage_;  // for all that this run writes, and who folds its journal, if there is none
  const State* const successor_;
  const bool forced_, finishes_, goes_on_, rescued_, elsewhere_;
  bool conflict_ = false;
  bool rescue_done_ = false;  // errored.tfstate is there, and has nothing that the state lacks
  bool left_over_ = false;    // a journal is folded into last_, but not into the bytes yet
  bool backed_up_ = false;
  bool none_left_ = false;  // no journal, as was seen under the lock, which this run has held since
  bool migrate_ = false;    // what was read is encrypted otherwise than it is to be
};

}  // namespace xplan
