// Recorder: records the changes of an apply as they happen: each in the journal first, then in the state (in
// memory: run/apply.cc has it written); and which of them failed.
//
// Who calls it: change.cc, destroy.cc and read.cc, for one instance at a time.
// Contract: whoever gets false must not ask a provider for any change: what cannot be recorded could be lost.
// What begins something waits until its record is durable, and with it, since records are in order, all that
// was recorded before; what only tells of an outcome does not wait, so that in a chain the result of one
// operation and the intent of the next become durable together.
// The state's maps of resources and instances do not change here, only what an instance holds. Cost: one
// journal record a call. Thread-safety: all calls may come from several threads, those for one instance too:
// its deposed objects are destroyed concurrently, so their map is touched nowhere else. The current object is
// its change's own.
#pragma once
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/apply/announcements.h"
#include "core/diag/diagnostic.h"
#include "core/graph/walk.h"
#include "core/plan/hooks.h"
#include "core/plan/plan.h"
#include "core/state/store.h"

namespace xplan::applying {

// A record of this kind about the object at the change's address.
JournalRecord record_of(JournalRecord::Kind kind, const ResourceChange& c, std::string_view action,
                        std::string_view deposed = "");

class Recorder {
 public:
  // `hooks` hear of waits for a server.
  Recorder(State& state, Journal* journal, Hooks& hooks = no_hooks())
      : state_(state),
        journal_(journal),
        hooks_(hooks),
        place_(journal ? journal->place() : ""),
        announcements_(journal, [this](const Error& why) { note_failure(why); }) {}
  Pauses& pauses() { return pauses_; }  // for the walk that it records: waits for records are not work

  // Before what it tells of goes on. False with an error: it is not on the disk.
  // `more`: nothing else goes on in its place meanwhile.
  bool record_durably(const JournalRecord& r, Diagnostics& diags, bool more = false);
  // The record has its place in the order; `then` is called once it is on the disk, or cannot be, before
  // anything is told of what was recorded later.
  bool record(const JournalRecord& r, Diagnostics& diags, std::function<void()> then = {});
  // To the hooks, after all that was recorded before.
  void tell(std::function<void()> f) { announcements_.in_turn(std::move(f)); }
  // All is on the disk and told, or there is an error.
  void finish(Diagnostics& diags);
  // False with the error of an earlier record: nothing more may begin.
  bool can_begin(Diagnostics& diags) const;
  // After the intent of a change is durable, which may have taken a while. False with the error that keeps
  // the change from being begun.
  bool may_begin(Diagnostics& diags);
  std::vector<JournalRecord> unanswered() const {
    return journal_ ? journal_->unanswered() : std::vector<JournalRecord>();
  }
  // The object of this address; null: there is none.
  ObjectPtr object(const AbsInstance& a, const std::string& deposed) const;
  void put(const AbsInstance& a, const std::string& deposed, ObjectPtr object);  // null: it is gone
  // Makes the current object a deposed one, so that its successor can be created. Nothing after an error.
  std::optional<std::string> depose(const ResourceChange& c, Diagnostics& diags);
  // The reverse: no successor was made. The state is right even if the record fails.
  void restore(const ResourceChange& c, const std::string& deposed, Diagnostics& diags,
               std::function<void()> then = {});
  // The key that depose() gave the object of this address in this run.
  std::optional<std::string> deposed_key(const AbsInstance& a) const;

  InstanceState& instance_at(const AbsInstance& a);  // one that exists, as all do that are changed

  // To carry it out, or a half of a replacement.
  void begin(const ResourceChange& c);
  void withdraw(const ResourceChange& c);  // that was begun last of it: nothing was done after all
  bool has_begun(const ResourceChange& c) const;
  void fail(const AbsInstance& a, std::string_view deposed = "");
  bool has_failed(const AbsInstance& a, std::string_view deposed = "") const;

 private:
  bool failed(const Error& why, Diagnostics& diags);
  void note_failure(const Error& why);
  std::optional<std::string> waits_as(const JournalRecord& r) const;
  Result<void> write(const JournalRecord& r);
  State& state_;
  Journal* journal_;
  Hooks& hooks_;
  const std::string place_;  // of the journal, where that is a server
  Pauses pauses_;
  mutable std::mutex lock_;  // for what follows, and all maps of deposed objects
  std::string failure_;      // of a record
  std::string lost_;         // that is why: what is told
  mutable bool reported_ = false;
  std::unordered_map<const ResourceChange*, int> begun_;  // of the plan, and how many halves of it
  std::unordered_set<std::string> failed_;                // addresses, each with a deposed key
  std::unordered_map<AbsInstance, std::string> deposed_keys_;
  Announcements announcements_;  // last: its thread is gone before the rest
};

}  // namespace xplan::applying
