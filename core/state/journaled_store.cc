// What every state store does: taking in the journal of a run that was killed, writing with serial and
// lineage, rescuing what could not be written, and ending journals.
#include "core/state/journaled_store.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/base/command_line.h"
#include "core/base/json_writer.h"
#include "core/config/version.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

// What the caller of apply holds; the journal itself belongs to the store too, which ends it.
class JournalHandle : public Journal {
 public:
  explicit JournalHandle(std::shared_ptr<JournalWriter> writer) : writer_(std::move(writer)) {}
  Result<void> append(const JournalRecord& r) override { return writer_->append(r); }
  std::vector<JournalRecord> unanswered() const override { return writer_->unanswered(); }

 private:
  std::shared_ptr<JournalWriter> writer_;
};

// Of objects that may exist without being in the state. What is in it is read by the next plan, whatever
// became of it.
std::vector<JournalRecord> creations_of(std::vector<JournalRecord> intents) {
  std::erase_if(intents, [](const JournalRecord& r) { return r.action != "create"; });
  return intents;
}

// In just the room that it needs, which is measured first: a string that grows takes up to three times that.
std::string exact_text(const State& s, const TypeSource& types) {
  size_t size = 1;
  JsonWriter measure([&](std::string_view piece) { size += piece.size(); }, 2);
  write_state(s, types, measure);
  measure.flush();
  std::string out;
  out.reserve(size);
  JsonWriter w([&](std::string_view piece) { out += piece; }, 2);
  write_state(s, types, w);
  w.flush();
  out += '\n';
  return out;
}

}  // namespace

bool JournaledStore::exists() const {
  return (text_ && !text_->empty()) || left_over_ || !last_.resources.empty();
}

Result<void> JournaledStore::load() {
  Result<std::string> text = get();
  if (!text) return text.error();
  text_ = std::make_shared<const std::string>(std::move(*text));
  last_ = State();
  if (text_->empty()) return {};
  Result<State> s = read_state(text_);
  if (!s) return unusable(s.error().message);
  last_ = std::move(*s);
  return {};
}

// The journal of a living run is there, whoever has the lock.
Error JournaledStore::busy() const {
  return Error{
      "another run is changing the state \"" + path() + "\"" +
      (lock_held() ? " without holding its lock" : "") + ", as its journal \"" + journals().name() +
      "\" shows. Wait until it has finished, and do not delete the journal, which records what it does"};
}

Error JournaledStore::unusable_journal(const std::string& why) const {
  return Error{"the journal \"" + journals().name() + "\" of an interrupted run cannot be used: " + why +
               ". The state may lack changes that it lists. If another version of this program wrote it, run "
               "that version. Otherwise, " +
               journals().by_hand()};
}

Error JournaledStore::foreign_journal(const JournalContent& j) const {
  auto name = [](const std::string& lineage, uint64_t serial) {
    return lineage.empty() ? std::string("an empty state")
                           : "lineage " + lineage + ", serial " + std::to_string(serial);
  };
  return Error{"the journal \"" + journals().name() + "\" of an interrupted run belongs to another state (" +
               name(j.base.lineage, j.base.serial) + ") than the one in \"" + path() + "\" (" +
               name(last_.lineage, last_.serial) + "). It contains " + std::to_string(j.records.size()) +
               (j.records.size() == 1 ? " record" : " records") +
               " of changes that may be missing from every state. Something else has written the "
               "state since then. " +
               (j.base.lineage.empty() ? "To go on, "  // nobody can restore that
                                       : "If you have the state that the journal belongs to, restore it and "
                                         "run the command again. Otherwise, ") +
               journals().by_hand()};
}

// Takes in what a dead run has left. `again`: something was changed meanwhile, so all has to be read once
// more.
Result<void> JournaledStore::fold(Diagnostics& diags, bool& again) {
  again = false;
  auto left = journals().find(lock_held());
  if (!left) return left.error();
  if (!*left) return {};
  if ((*left)->gone) return again = true, Result<void>();
  const bool alive = (*left)->alive;
  if (alive && lock_held()) return busy();
  auto j = read_journal((*left)->text);
  if (!j.ok()) return unusable_journal(j.error().message);
  if (j->empty) return lock_held() ? journals().remove() : Result<void>();
  if (const JournalCommit* commit = written(*j)) {
    State nothing;
    const auto after = j->records.begin() + static_cast<int64_t>(*commit->records);
    std::vector<JournalRecord> rest = fold_journal(nothing, {j->records.begin(), after}).in_flight;
    if (after == j->records.end()) return take_committed(std::move(rest), alive, diags);
    rest.insert(rest.end(), after, j->records.end());
    j->base = {commit->lineage, commit->serial};
    j->records = std::move(rest);
  }
  if (j->records.empty() && !j->damaged) return lock_held() ? journals().remove() : Result<void>();
  return fold_records(*j, alive, diags, again);
}

// The last of its commits that the state is now.
const JournalCommit* JournaledStore::written(const JournalContent& j) const {
  const JournalCommit* out = nullptr;
  for (const JournalCommit& c : j.commits)
    if (c.lineage == last_.lineage && c.serial == last_.serial && c.digest == text_digest(*text_)) out = &c;
  return out;
}

// All of it is in the state but what nobody knows, which whoever wrote the state may not have told.
Result<void> JournaledStore::take_committed(std::vector<JournalRecord> in_flight, bool alive,
                                            Diagnostics& diags) {
  unknown_ = creations_of(std::move(in_flight));
  if (!alive && !unknown_.empty()) report_fold({.in_flight = unknown_}, false, diags);
  if (lock_held()) return end_journal();
  left_over_ = !alive;  // whoever writes the state without the lock ends it
  return unknown_.clear(), Result<void>();
}

Result<void> JournaledStore::fold_records(const JournalContent& j, bool alive, Diagnostics& diags,
                                          bool& again) {
  // Nothing of it belongs into the state, whatever has been written since.
  const bool only_begun = std::all_of(j.records.begin(), j.records.end(), [](const JournalRecord& r) {
    return r.kind == JournalRecord::Kind::Intent;
  });
  if (j.base.lineage != last_.lineage || j.base.serial != last_.serial) {
    if (alive) return again = true, Result<void>();
    if (!only_begun || j.damaged || j.base.lineage != last_.lineage) return foreign_journal(j);
  }
  FoldReport report = fold_journal(last_, j.records);
  if (!alive) report_fold(report, j.damaged, diags);
  left_over_ = !alive;
  if (!lock_held()) return {};
  unknown_ = creations_of(std::move(report.in_flight));
  if (unknown_.size() == j.records.size() && !j.damaged) return unknown_.clear(), Result<void>();
  if (only_begun && !j.damaged) return end_journal();
  // Where there is no room, for instance: the journal stays, whoever only reads can go on, and whoever
  // changes something hears of it.
  if (!store_folded().ok()) unknown_.clear();
  return {};
}

// Objects that may exist without being in the state are told of by every run until one writes the state: a
// journal of nothing else takes the place of the one that ends, at once, so that a run killed meanwhile
// leaves one of them. They have been told once, so one that cannot be made is not a reason to stop.
Result<void> JournaledStore::end_journal() {
  left_over_ = false;
  const std::vector<JournalRecord> kept = std::exchange(unknown_, {});
  if (kept.empty()) return journals().remove();
  Result<bool> made = journals().keep({last_.lineage, last_.serial}, kept);
  if (!made) return left_over_ = true, made.error();
  left_over_ = *made;
  return left_over_ ? Result<void>() : journals().remove();
}

Result<void> JournaledStore::store_folded() {
  State folded = last_;
  folded.serial = last_.serial + 1;
  if (folded.lineage.empty()) folded.lineage = new_uuid();
  return store(folded, NoTypes(), Stored::Folded);  // all its objects are JSON text
}

Result<State> JournaledStore::read(Diagnostics& diags) {
  left_over_ = false;
  for (int attempt = 0;; ++attempt) {
    if (auto r = load(); !r.ok()) return r.error();
    if (journal_) break;  // our own
    bool again = false;
    if (auto r = fold(diags, again); !r.ok()) return r.error();
    // A living run that is just writing its result: what is in the state is whole in any case.
    if (!again || attempt == 3) break;
    ::usleep(50000);
  }
  return last_;
}

Result<void> JournaledStore::put_with_journal(const State& s, const std::string& text) {
  if (!backed_up_ && text_ && !text_->empty())
    if (auto r = back_up(*text_); !r.ok()) return r.error();
  backed_up_ = true;
  JournalCommit commit{s.lineage, s.serial, text_digest(text)};
  if (journal_) {
    // One that could not take everything any more must not keep the state from being written.
    if (auto r = journal_->commit(commit); !r.ok() && !journal_->failed()) return r.error();
  } else if (left_over_) {
    if (auto r = journals().commit(commit); !r.ok()) return r.error();
  }
  return put(text);
}

// Out of room, for instance. Another place may still take it.
Error JournaledStore::not_written(const std::string& why, const State& s, const TypeSource& types,
                                  const std::shared_ptr<const std::string>& text, Stored what) {
  const std::string rescue = "errored.tfstate", journal = "the journal \"" + journals().name() + "\"",
                    next = " has all changes, and the next run will pick them up once the cause is fixed";
  const std::string message = "the state could not be written: " + why;
  if (what == Stored::Folded)
    return Error{
        message + ". T" + journal.substr(1) +
        " has all changes of the interrupted run, and the next run will pick them up once the cause is "
        "fixed"};
  // Whoever restores it has the journal taken in first, which makes a state of the next serial, with less in
  // it.
  State rescued = s;
  if (journal_) ++rescued.serial;
  if (put_rescue(rescue, journal_ ? exact_text(rescued, types) : *text).ok())
    return Error{message + ". It was written to \"" + rescue +
                 "\" instead; after fixing the cause, restore it with " +
                 own_command("state push " + rescue)};
  if (journal_ && journal_->failed()) {
    unsaved_ = text;
    return Error{message + ", nor could \"" + rescue + "\", and " + journal + " lacks some changes"};
  }
  return Error{journal_ ? message + ". T" + journal.substr(1) + next : message};
}

// Writes `s` as it is, after the backup, and ends the journal that led to it.
Result<void> JournaledStore::store(State& s, const TypeSource& types, Stored what) {
  s.terraform_version = kLanguageVersion;
  auto text = std::make_shared<const std::string>(exact_text(s, types));
  if (Result<void> ok = put_with_journal(s, *text); !ok)
    return not_written(ok.error().message, s, types, text, what);
  text_ = text;
  last_ = s;
  if (journal_) return end_own_journal();
  return left_over_ ? end_journal() : Result<void>();
}

Result<void> JournaledStore::write_snapshot(const TypeSource& types) {
  std::vector<JournalRecord> records;
  const uint64_t upto = journal_->take(records);
  if (!recorded_) recorded_ = last_;
  fold_journal(*recorded_, records);
  State s = *recorded_;
  if (same_content(s, last_, types)) return {};
  s.serial = last_.serial + 1;
  if (s.lineage.empty()) s.lineage = new_uuid();
  s.terraform_version = kLanguageVersion;
  auto text = std::make_shared<const std::string>(exact_text(s, types));
  if (Result<void> ok = journal_->commit({s.lineage, s.serial, text_digest(*text), upto}); !ok) return ok;
  if (Result<void> ok = put(*text); !ok) return ok;
  text_ = std::move(text);
  last_ = std::move(s);
  return {};
}

Result<void> JournaledStore::end_own_journal() {
  std::vector<JournalRecord> open = journal_->unanswered();
  drop_known_outcomes(open, last_);
  unknown_ = creations_of(std::move(open));
  journal_->close();
  journal_ = nullptr;
  recorded_.reset();
  return end_journal();
}

Result<void> JournaledStore::write(State& s, const TypeSource& types) {
  if (!text_) return Error{"the state \"" + path() + "\" must be read before it is written"};
  bool differs = left_over_ || text_->empty() || moves() || !same_content(s, last_, types);
  s.lineage = !last_.lineage.empty() ? last_.lineage : !s.lineage.empty() ? s.lineage : new_uuid();
  if (differs) {
    s.serial = last_.serial + 1;
    return store(s, types);
  }
  s.serial = last_.serial;
  s.lineage = last_.lineage;
  s.terraform_version = last_.terraform_version;
  return journal_ ? end_own_journal() : Result<void>();
}

Result<void> JournaledStore::replace(State& s, const TypeSource& types) {
  if (!text_) return Error{"the state \"" + path() + "\" must be read before it is written"};
  return store(s, types);
}

Result<std::unique_ptr<Journal>> JournaledStore::start_journal(const TypeSource& types) {
  if (!text_) return Error{"the state \"" + path() + "\" must be read before a journal is started for it"};
  if (left_over_)
    if (auto r = store_folded(); !r.ok()) return r.error();
  if (journal_) journal_->close();
  if (auto ok = may_change(); !ok) return ok.error();
  // One without a record can be there still, if this run does not hold the lock.
  auto left = journals().find(lock_held());
  if (!left) return left.error();
  if (*left && (*left)->alive) return busy();
  if (*left && (*left)->text) {
    auto j = read_journal((*left)->text);
    if (j.ok() && (j->empty || j->records.empty()))
      if (auto r = journals().remove(); !r.ok()) return r.error();
  }
  auto begun = journals().create({last_.lineage, last_.serial}, types);
  if (!begun.ok()) return begun.error();
  journal_ = *begun;
  if (takes_snapshots()) journal_->collect();
  return std::unique_ptr<Journal>(std::make_unique<JournalHandle>(journal_));
}

}  // namespace xplan
