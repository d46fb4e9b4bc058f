// JournaledStore: what is the same wherever a state lives: serial and lineage, the journal of a run that was
// killed, the rescue of a state that could not be written.
//
// Who calls it: local_store.cc and remote_store.cc are made of it; nobody else sees it.
// Contract: that of StateStore; the parts below say where the bytes and the journals are.  Cost,
// thread-safety: as StateStore.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/state/journal_home.h"
#include "core/state/store.h"

namespace xplan {

class JournaledStore : public StateStore {
 public:
  bool exists() const override;
  std::string_view unsaved() const override { return unsaved_ ? *unsaved_ : std::string_view(); }
  Result<State> read(Diagnostics& diags) override;
  Result<void> write(State& s, const TypeSource& types) override;
  Result<void> replace(State& s, const TypeSource& types) override;
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;

 protected:
  // Where journals are.
  virtual JournalHome& journals() = 0;
  virtual const JournalHome& journals() const = 0;
  // The bytes of the state; empty: there is none.
  virtual Result<std::string> get() = 0;
  virtual Result<void> put(const std::string& text) = 0;
  // Before the first put() of a run, of what was there.
  virtual Result<void> back_up(const std::string& /*former*/) { return {}; }
  // Where what get() reads and what put() writes are not the same.
  virtual bool moves() const { return false; }
  virtual bool lock_held() const = 0;
  // What keeps a journal from being started; nothing was changed yet.
  virtual Result<void> may_change() const { return {}; }
  // Of a state that cannot be read: what its users can do.
  virtual Error unusable(const std::string& why) const = 0;
  // Writes the state with what the journal has recorded until now, from another thread while this run's
  // changes go on. One at a time; nobody else calls this store meanwhile.
  Result<void> write_snapshot(const TypeSource& types);
  // Asked for before the journal starts.
  virtual bool takes_snapshots() const { return false; }
  // A file for a person to restore the state from.
  virtual Result<void> put_rescue(const std::string& path, std::string_view text) const = 0;

 private:
  Result<void> load();
  Result<void> fold(Diagnostics& diags, bool& again);
  Result<void> take_committed(std::vector<JournalRecord> in_flight, bool alive, Diagnostics& diags);
  Result<void> fold_records(const JournalContent& j, bool alive, Diagnostics& diags, bool& again);
  const JournalCommit* written(const JournalContent& j) const;
  enum class Stored : uint8_t { New, Folded };  // Folded: a journal that stays has all of it
  Result<void> store(State& s, const TypeSource& types, Stored what = Stored::New);
  Result<void> put_with_journal(const State& s, const std::string& text);
  Error not_written(const std::string& why, const State& s, const TypeSource& types,
                    const std::shared_ptr<const std::string>& text, Stored what);
  Result<void> store_folded();
  Result<void> end_journal();
  Result<void> end_own_journal();
  Error busy() const;
  Error unusable_journal(const std::string& why) const;
  Error foreign_journal(const JournalContent& j) const;

  std::shared_ptr<const std::string> text_;  // as it was read or written; null before the first read
  std::shared_ptr<const std::string> unsaved_;
  State last_;                              // what it says, or what was last written
  std::optional<State> recorded_;           // last_ with what was recorded, while snapshots are taken
  std::shared_ptr<JournalWriter> journal_;  // of this run
  std::vector<JournalRecord> unknown_;      // creations to be told of when the journal that has them ends
  bool left_over_ = false;                  // a journal is folded into last_, but not into the bytes yet
  bool backed_up_ = false;
};

}  // namespace xplan
