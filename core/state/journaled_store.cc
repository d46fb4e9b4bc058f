// What every state store does: taking in the journal of a run that was killed, writing with serial and
// lineage, rescuing what could not be written, and ending journals.
#include "core/state/journaled_store.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/threads.h"
#include "core/config/version.h"
#include "core/state/early_read.h"
#include "core/state/place.h"
#include "core/state/sealed_journal.h"
#include "core/state/state_head.h"
#include "core/state/unfinished_move.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

// What the caller of apply holds; the journal itself belongs to the store too, which ends it.
class JournalHandle : public QueueingJournal {
 public:
  explicit JournalHandle(std::shared_ptr<JournalWriter> writer) : writer_(std::move(writer)) {}
  Result<uint64_t> enqueue(const JournalRecord& r) override { return writer_->enqueue(r); }
  Result<void> await(uint64_t number, bool urgent) override { return writer_->await(number, urgent); }
  std::vector<JournalRecord> unanswered() const override { return writer_->unanswered(); }
  Result<void> may_begin() const override { return writer_->settle_doubt(); }
  std::string_view lost() const override { return writer_->lost(); }

 private:
  std::shared_ptr<JournalWriter> writer_;
};

// Of objects that may exist without being in the state. What is in it is read by the next plan, whatever
// became of it.
std::vector<JournalRecord> creations_of(std::vector<JournalRecord> intents) {
  std::erase_if(intents, [](const JournalRecord& r) { return r.action != "create"; });
  return intents;
}

// Once the process is about to end.
constexpr std::chrono::milliseconds kLongestRecord(1000);

// Those of objects: what was changed, and of what nothing came. The last one of each counts.
void sort_outcomes(std::vector<JournalRecord> records, std::vector<JournalRecord>& changed,
                   std::vector<JournalRecord>& idle) {
  using Kind = JournalRecord::Kind;
  for (JournalRecord& r : records) {
    if (r.addr.resource.mode != Mode::Managed || !place_answered(r)) continue;
    const bool made_nothing = r.kind == Kind::Restore || (r.kind == Kind::Remove && r.action == "create");
    std::vector<JournalRecord>& to = r.withdraws || made_nothing ? idle : changed;
    std::erase_if(to, [&](const JournalRecord& o) { return o.addr == r.addr && o.deposed == r.deposed; });
    to.push_back(std::move(r));
  }
}

// Others read serials as signed numbers. Behind it is room for all that one run writes.
constexpr uint64_t kLastSerial = INT64_MAX - (uint64_t{1} << 20);

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
  EarlyRead early;
  unread_.reset();
  Result<std::string> bytes = get(codec_->encrypts() ? nullptr : &early.arrival());
  if (!bytes && forced_) bytes = get(nullptr);  // what passes by itself must not cost the copy
  if (!bytes) {
    if (!forced_ || !replaces_unread()) return bytes.error();
    text_ = std::make_shared<const std::string>();
    return go_on_unread(bytes.error());
  }
  const bool encrypted = codec_->encrypts() && crypt::is_encrypted_state(*bytes);
  Result<crypt::Decrypted> text = codec_->decrypt(std::move(*bytes));
  if (!text)
    return Error{"the state \"" + source() + "\" cannot be read: " + text.error().message +
                 (encrypted ? ". If it was encrypted with another key, use that key, or add a fallback with "
                              "it to the encryption block; if it is damaged, replace it with an intact copy"
                            : "")};
  migrate_ = text->migrate;
  if (std::optional<EarlyRead::Read> read = early.result(text->bytes)) {
    text_ = std::move(read->text), last_ = std::move(read->state);
    return {};
  }
  text_ = std::make_shared<const std::string>(std::move(text->bytes));
  last_ = State();
  if (text_->empty()) return {};
  Result<State> s = read_state(text_);
  if (!s) return go_on_unread(unusable(s.error().message, how_unusable(*text_)));
  last_ = std::move(*s);
  return {};
}

// Who replaces a state whatever it is need not know what it is.
Result<void> JournaledStore::go_on_unread(Error why) {
  if (!forced_) return why;
  unread_ = std::move(why);
  last_ = State();
  return {};
}

Error JournaledStore::unusable_journal(const std::string& why) const {
  return with_note(
      "the journal \"" + journals().name() + "\" of an interrupted run cannot be used: " + why +
      ". The state may lack changes that it lists. If another version of this program wrote it, or "
      "another encryption block was used, use that one. Otherwise, discard it with " +
      own_command("state journal " + which_state() + "-discard") + ", which keeps a copy");
}

Result<JournalContent> JournaledStore::content(const JournalHome::Left& left) const {
  Result<std::shared_ptr<const std::string>> text = open_journal(left.text, *codec_);
  return text ? read_journal(std::move(*text), journals().key()) : text.error();
}

// Whoever may read the state, and may not see whether there is a journal, can look at it, but change nothing.
Result<void> JournaledStore::go_on_unlisted(const Error& why, Diagnostics& diags) {
  if (!is_forbidden(why)) return why;
  const std::string missing =
      why.sentence() + " So nobody can tell whether an interrupted run has left a journal";
  diags.warn("Journals cannot be looked for",
             missing + ", with changes that the state lacks. " + journal_here_advice() + ".");
  if (!forced_) misfit_ = Error{missing + ", and nothing can be changed. " + journal_here_advice()};
  return {};
}

// Takes in what a dead run has left. `again`: something was changed meanwhile, so all has to be read once
// more, unless that was the last time.
Result<void> JournaledStore::fold(const Found& left, Diagnostics& diags, bool last, bool& again) {
  again = false;
  committed_.reset();
  misfit_.reset();
  if (!left) return go_on_unlisted(left.error(), diags);
  none_left_ = !*left && lock_held() && holds_off_all();
  if (!*left) return {};
  if ((*left)->gone) return again = true, Result<void>();
  if ((*left)->alive && lock_held()) return busy({JournalLife::Sign::Runs});
  auto j = content(**left);
  if (!j.ok() && !goes_on_) return unusable_journal(j.error().message);
  if (!j.ok()) {
    misfit_ = unusable_journal(j.error().message);
    diags.warn("Journal cannot be used", misfit_->sentence());
    return {};
  }
  folded_ = (*left)->text, folded_part_ = j->part;
  if (j->empty) return lock_held() ? tell(journals().remove(), diags) : Result<void>();
  const JournalLife life = life_in(**left, *j);
  if (!j->commits.empty() && j->commits.back().records == j->records.size()) committed_ = j->commits.back();
  if (const JournalCommit* commit = written(*j)) {
    State nothing;
    const auto after = j->records.begin() + static_cast<int64_t>(*commit->records);
    std::vector<JournalRecord> rest = fold_journal(nothing, {j->records.begin(), after}).in_flight;
    // Such a run has only its journal left to remove, so what its last segment says of it is of no interest.
    if (after == j->records.end()) return take_committed(std::move(rest), (*left)->alive, diags);
    rest.insert(rest.end(), after, j->records.end());
    j->base = {commit->lineage, commit->serial};
    j->records = std::move(rest);
  }
  if (life.alive()) misfit_ = busy(life, !unread_ && fits(*j));
  if (j->records.empty() && !j->damaged)
    return lock_held() && !life.alive() ? tell(journals().remove(), diags) : Result<void>();
  return fold_records(**left, *j, life, diags, last, again);
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
  drop_known_outcomes(in_flight, last_);  // of a journal that is half removed, results may be gone
  unknown_ = creations_of(std::move(in_flight));
  if (!alive && !unknown_.empty()) report_fold({.in_flight = unknown_}, false, diags);
  if (lock_held()) return tell(end_journal(), diags);
  left_over_ = !alive;  // whoever writes the state without the lock ends it
  return unknown_.clear(), Result<void>();
}

// The state has all of a journal that cannot be removed, so that is no reason to stop.
void JournaledStore::note_end(const Result<void>& ended) {
  not_ended_ = ended ? std::nullopt : std::optional(ended.error());
}

Result<void> JournaledStore::tell(const Result<void>& ended, Diagnostics& diags) {
  note_end(ended);
  report_not_ended(*this, diags);
  return {};
}

Result<void> JournaledStore::fold_records(const JournalHome::Left& left, const JournalContent& j,
                                          const JournalLife& life, Diagnostics& diags, bool last,
                                          bool& again) {
  const bool alive = life.alive();
  const bool nothing_done = only_begun(j.records);
  if (unread_ || !is_of_this_state(j.base)) {
    if (alive && !last) return again = true, Result<void>();
    if (unread_ || !fits(j)) return misfit(left, j, life, diags);
  }
  if (const JournalRecord* moving = unfinished_move_of(j.records))
    return alive ? Result<void>() : take_unfinished_move(*moving, diags);
  next_lineage_ = j.base.next_lineage;
  FoldReport report = fold_journal(last_, j.records);
  report.who = j.part.who;
  if (alive) return leave_out_unfinished(report, life, diags), Result<void>();
  Diagnostics later;  // read() tells at its end
  if (lock_held())
    if (Result<void> ok = compare_with_rescue(later); !ok) return ok;
  if (successor_) {
    tainted_ = std::exchange(report.tainted, {});
    drop_known_outcomes(report.in_flight, *successor_);
  }
  left_over_ = true;
  unknown_ = lock_held() ? creations_of(report.in_flight) : std::vector<JournalRecord>();
  const bool stays = unknown_.size() == j.records.size() && !j.damaged;
  const bool ends = nothing_done && !j.damaged;
  if (!lock_held() || stays) {
    unknown_.clear();
    report.written = false;
  } else if (ends) {
    note_end(end_journal());
  } else if (Result<void> ok = store_folded(); !ok) {
    // Where there is no room, for instance: the journal stays, whoever only reads can go on, and whoever
    // changes something hears of it.
    report.problem = ok.error().sentence();
    unknown_.clear();
  }
  // What is read from the journal by command after command is news only when it is added to the state.
  const bool known = only_looks() && report.in_flight.empty() && !j.damaged;
  if (!known) report_fold(report, j.damaged, diags);
  report_not_ended(*this, diags);
  return {};
}

// Objects that may exist without being in the state are told of by every run until one writes the state: a
// journal of nothing else takes the place of the one that ends, at once, so that a run killed meanwhile
// leaves one of them. They have been told once, so one that cannot be made is not a reason to stop.
Result<void> JournaledStore::end_journal() {
  left_over_ = false;
  folded_ = nullptr;  // what is there from now on is of this run
  committed_.reset();
  const std::vector<JournalRecord> kept = std::exchange(unknown_, {});
  if (kept.empty()) return journals().remove();
  Result<bool> made = journals().keep({last_.lineage, last_.serial, {}, text_digest(*text_)}, kept);
  if (!made) return left_over_ = true, made.error();
  left_over_ = *made;
  return left_over_ ? Result<void>() : journals().remove();
}

std::string JournaledStore::lineage_for(const State& s) const {
  if (!last_.lineage.empty()) return last_.lineage;
  if (!s.lineage.empty()) return s.lineage;
  return next_lineage_.empty() ? new_uuid() : next_lineage_;
}

Error JournaledStore::with_note(std::string text) const {
  const std::string note = elsewhere_note();
  return Error{note.empty() ? std::move(text) : text + ". " + note};
}

// The command that restores a state from this file.
std::string JournaledStore::push_command(std::string_view words) const {
  return own_command("state push " + which_state() + std::string(words));
}

// For commands about this state, with a space; "": it is that of the workspace.
std::string JournaledStore::which_state() const {
  return elsewhere_ ? "-state=" + shell_word(std::filesystem::absolute(path()).string()) + " " : "";
}

void report_not_ended(const StateStore& store, Diagnostics& diags) {
  if (const std::optional<Error> why = store.not_ended())
    diags.warn("Journal not removed",
               "The state has all changes, but its journal could not be removed: " + why->message +
                   ". It does no harm where it is, and the next run will try again to remove it.");
}

Result<void> JournaledStore::store_folded() {
  if (Result<void> ok = goes_on_from(last_.serial); !ok) return ok;
  State folded = last_;
  folded.serial = last_.serial + 1;
  folded.lineage = lineage_for(folded);
  return store(folded, NoTypes(), Stored::Folded);  // all its objects are JSON text
}

Result<State> JournaledStore::read(Diagnostics& diags) {
  left_over_ = false;
  folded_ = nullptr;
  misfit_.reset();
  moving_.reset();
  none_left_ = false;
  for (int attempt = 0;; ++attempt) {
    // Nobody changes either under the lock, so whichever is read first says the same.
    const bool both = lock_held() && !journal_ && reads_concurrently();
    Result<void> loaded;
    Found left(std::nullopt);
    const auto find = [&] { left = journals().find(lock_held()); };
    run_concurrently(both ? 2 : 1, [&](size_t part) { part == 0 ? void(loaded = load()) : find(); });
    if (!loaded) return loaded.error();
    if (unread_ && attempt == 0)
      diags.warn("State could not be read",
                 unread_->sentence() + " As -force is set, it is replaced all the same.");
    if (journal_) break;  // our own
    if (!both) find();
    bool again = false;
    const bool last = attempt == 3;  // of a living run that may just be writing its result
    if (auto r = fold(left, diags, last, again); !r.ok()) return r.error();
    if (!again || last) break;
    ::usleep(50000);
  }
  if (!journal_)
    if (Result<void> ok = compare_with_rescue(diags); !ok) return ok.error();
  State out = last_;
  if (out.lineage.empty() && !out.empty()) out.lineage = next_lineage_;  // as it will be written
  return out;
}

Result<void> JournaledStore::put_encrypted(const std::string& text) {
  if (!codec_->encrypts()) return put(text);
  Result<std::string> encrypted = codec_->encrypt(text);
  return encrypted ? put(*encrypted) : encrypted.error();
}

Result<void> JournaledStore::put_with_journal(const State& s, const std::string& text) {
  if (Result<void> ok = unchanged(); !ok) return ok;
  if (!backed_up_ && text_ && (!text_->empty() || moves())) {
    const bool plain = !codec_->encrypts();
    const Result<std::string> former = plain ? std::string() : codec_->encrypt(*text_);
    if (!former) return former.error();
    if (auto r = back_up(plain ? *text_ : *former); !r.ok()) return r.error();
  }
  backed_up_ = true;
  JournalCommit commit{s.lineage, s.serial, text_digest(text)};
  if (journal_) {
    // One that could not take everything any more must not keep the state from being written.
    if (auto r = journal_->commit(commit); !r.ok() && !journal_->failed()) return r.error();
  } else if (left_over_ && !(committed_ && committed_->same_state(commit))) {
    folded_ = nullptr;  // it grows by that
    if (auto r = journals().commit(commit); !r.ok()) return r.error();
    committed_ = commit;
  }
  return put_encrypted(text);
}

// An intent that has not become durable in time has not begun anything either, nor has an object been deposed
// for it: whoever waits for such a record goes on only when it counts.
StateStore::Abandoned JournaledStore::abandon() {
  const std::lock_guard guard(at_work_lock_);
  Abandoned out;
  if (!at_work_) return out;
  JournalWriter::Abandoned left = at_work_->abandon(kLongestRecord);
  std::vector<JournalRecord> rest(left.kept.begin() + static_cast<int64_t>(left.durable), left.kept.end());
  std::erase_if(rest, [](const JournalRecord& r) { return r.begins(); });
  left.kept.resize(left.durable);
  left.kept.insert(left.kept.end(), rest.begin(), rest.end());
  sort_outcomes(std::move(rest), out.unrecorded, out.idle);
  if (!out.unrecorded.empty()) rescue(left.kept, out);
  JournalWriter::Remaining since = at_work_->remaining();  // providers have gone on meanwhile
  sort_outcomes(std::move(since.late), out.late, out.idle);
  out.unanswered = std::move(since.counting);
  out.idle.insert(out.idle.end(), since.idle.begin(), since.idle.end());
  return out;
}

// As whoever folds the journal would have it, if it were whole; see not_written() for the serial.
void JournaledStore::rescue(const std::vector<JournalRecord>& records, Abandoned& out) {
  State s = last_;
  fold_journal(s, records);
  s.serial = last_.serial + 2;
  s.lineage = lineage_for(s);
  s.terraform_version = kLanguageVersion;
  const Result<std::string> text = codec_->encrypt(exact_text(s, *types_));
  if (!text)
    out.problem = text.error().sentence();
  else if (save_rescue(*text, out.former))
    out.rescue = kRescue;
  else
    out.problem = "The file \"" + std::string(kRescue) + "\" cannot be written.";
}

// Out of room, for instance. Another place may still take it.
Error JournaledStore::not_written(const std::string& why, const State& s, const TypeSource& types,
                                  const std::shared_ptr<const std::string>& text, Stored what) {
  const std::string rescue(kRescue),
      journal = "the journal \"" + journals().name() + "\"",
      next = " has all changes, and the next run will pick them up once the cause is fixed";
  const std::string message = "the state could not be written: " + why;
  if (what == Stored::Folded)
    return Error{
        message + ". T" + journal.substr(1) +
        " has all changes of the interrupted run, and the next run will pick them up once the cause is "
        "fixed"};
  if (!rescued_) return Error{message};
  // Whoever restores it has the journal taken in first, which makes a state of the next serial, with less in
  // it.
  State rescued = s;
  if (journal_) ++rescued.serial;
  Result<std::string> kept = codec_->encrypt(journal_ ? exact_text(rescued, types) : *text);
  std::string former;
  const bool saved = kept && save_rescue(*kept, former);
  const std::string moved =
      former.empty()
          ? ""
          : ". The \"" + rescue + "\" of an earlier run, which was there, is now \"" + former + "\"";
  if (saved && conflict_)
    return Error{message + ". It was written to \"" + rescue + "\" instead. Compare that with the state (" +
                 (elsewhere_ ? "\"" + path() + "\"" : own_command("state pull")) +
                 "), which lacks the changes of this run. To replace the state with \"" + rescue +
                 "\", run " + push_command("-force " + rescue) + moved};
  if (saved)
    return Error{message + ". It was written to \"" + rescue +
                 "\" instead; after fixing the cause, restore it with " + push_command(rescue) + moved};
  if (journal_ && journal_->failed()) {
    const std::string lacks = ", nor could \"" + rescue + "\", and " + journal + " lacks some changes";
    if (!kept)
      return Error{message + lacks +
                   ". They are lost, because the state cannot be encrypted: " + kept.error().message};
    unsaved_ = std::make_shared<const std::string>(std::move(*kept));
    return Error{message + lacks};
  }
  return Error{journal_ ? message + ". T" + journal.substr(1) + next : message};
}

Result<void> JournaledStore::goes_on_from(uint64_t serial) const {
  if (serial <= kLastSerial) return {};
  return Error{
      "the state \"" + path() + "\" cannot be changed: its serial would be larger than " +
      std::to_string(serial) +
      ", which is more than any number of changes could reach, and more than some tools can read. Check "
      "where the "
      "state comes from; if it is the right one, correct \"serial\" in a copy of it, and restore that copy "
      "with " +
      push_command("-force")};
}

// Where no lock holds it off, a run that was taken for dead may have gone on since its journal was read, as
// after a pause: it sees that the journal is still there. What it has recorded since would be lost with it.
Result<void> JournaledStore::is_as_folded() {
  if (!left_over_ || !folded_ || (lock_held() && holds_off(folded_part_))) return {};
  const Found now = journals().find(lock_held());
  if (!now) return now.error();
  if (*now && !(*now)->alive && (*now)->text && *(*now)->text == *folded_) return {};
  return with_note(
      "the journal \"" + journals().name() +
      "\", which an interrupted run seemed to have left, has changed since it was read, so that run "
      "may still be in progress, or another one has added its changes to the state. Nothing was "
      "changed. Run the command again, with a new plan");
}

// Writes `s` as it is, after the backup, and ends the journal that led to it.
Result<void> JournaledStore::store(State& s, const TypeSource& types, Stored what) {
  if (!journal_)
    if (Result<void> ok = is_as_folded(); !ok) return ok;
  s.terraform_version = kLanguageVersion;
  auto text = std::make_shared<const std::string>(exact_text(s, types));
  if (Result<void> ok = put_with_journal(s, *text); !ok)
    return not_written(ok.error().message, s, types, text, what);
  {
    const std::lock_guard guard(at_work_lock_);
    at_work_ = nullptr;
    text_ = text;
    last_ = s;
  }
  migrate_ = false;
  note_end(journal_ ? end_own_journal() : left_over_ ? end_journal() : Result<void>());
  if (what == Stored::New) set_rescue_aside(last_);
  return {};
}

Result<void> JournaledStore::write_snapshot(const TypeSource& types) {
  std::vector<JournalRecord> records;
  const uint64_t upto = journal_->take(records);
  if (!recorded_) recorded_ = last_;
  fold_journal(*recorded_, records);
  State s = *recorded_;
  if (same_content(s, last_, types)) return {};
  s.serial = last_.serial + 1;
  s.lineage = lineage_for(s);
  s.terraform_version = kLanguageVersion;
  auto text = std::make_shared<const std::string>(exact_text(s, types));
  if (Result<void> ok = journal_->commit({s.lineage, s.serial, text_digest(*text), upto}); !ok) return ok;
  if (Result<void> ok = put_encrypted(*text); !ok) return ok;
  text_ = std::move(text);
  last_ = std::move(s);
  migrate_ = false;
  return {};
}

Result<void> JournaledStore::end_own_journal() {
  {
    const std::lock_guard guard(at_work_lock_);
    at_work_ = nullptr;
  }
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
  if (misfit_) return *misfit_;
  bool differs = left_over_ || migrate_ || text_->empty() || moves() || !same_content(s, last_, types);
  s.lineage = lineage_for(s);
  if (differs) {
    if (Result<void> ok = goes_on_from(last_.serial); !ok && !journal_) return ok;
    s.serial = last_.serial + 1;
    return store(s, types);
  }
  s.serial = last_.serial;
  s.lineage = last_.lineage;
  s.terraform_version = last_.terraform_version;
  note_end(journal_ ? end_own_journal() : Result<void>());
  return {};
}

Result<void> JournaledStore::replace(State& s, const TypeSource& types) {
  if (!text_) return Error{"the state \"" + path() + "\" must be read before it is written"};
  if (misfit_) return *misfit_;
  if (Result<void> ok = goes_on_from(s.serial); !ok) return ok;
  Result<void> ok = store(s, types);
  if (ok && unfolded_) note_end(journals().remove());
  return ok;
}

Error JournaledStore::conflict(const std::string& why) {
  conflict_ = true;
  if (!why.empty()) return Error{why};
  return Error{"something else has changed the state \"" + path() +
               "\" since it was read, and its changes would be lost"};
}

Result<void> JournaledStore::can_start_journal() const {
  if (misfit_) return *misfit_;
  const Result<void> ok = may_change();
  return ok ? journals().possible() : ok;
}

Result<std::unique_ptr<Journal>> JournaledStore::start_journal(const TypeSource& types) {
  if (!text_) return Error{"the state \"" + path() + "\" must be read before a journal is started for it"};
  if (misfit_) return *misfit_;
  if (auto ok = goes_on_from(last_.serial); !ok) return ok.error();
  if (left_over_)
    if (auto r = store_folded(); !r.ok()) return r.error();
  if (journal_) journal_->close();
  if (auto ok = may_change(); !ok) return ok.error();
  // One without a record can be there still, if this run does not hold the lock.
  const Found left =
      none_left_ && lock_held() && reads_concurrently() ? Found(std::nullopt) : journals().find(lock_held());
  if (!left) return left.error();
  if (*left && (*left)->alive) return busy({JournalLife::Sign::Runs});
  if (*left && (*left)->text) {
    auto j = content(**left);
    if (!j) return unusable_journal(j.error().message);
    const JournalCommit* commit = written(*j);
    const bool folded = commit && *commit->records == j->records.size();
    if (const JournalLife life = life_in(**left, *j); life.alive() && !folded) return busy(life, fits(*j));
    if (!j->empty && !j->records.empty() &&
        !folded)  // found in another place than the one that was just folded
      return Error{"there is a second journal of an interrupted run, \"" + journals().name() +
                   "\". Run the command again to add its changes to the state"};
    if (auto r = journals().remove(); !r.ok()) return r.error();
  }
  if (last_.lineage.empty() && next_lineage_.empty()) next_lineage_ = new_uuid();
  none_left_ = false;
  auto begun = journals().create(
      {last_.lineage, last_.serial, last_.lineage.empty() ? next_lineage_ : "", text_digest(*text_)}, types,
      lock_held());
  if (!begun.ok()) return begun.error();
  journal_ = *begun;
  if (takes_snapshots()) journal_->collect();
  if (records_leave()) journal_->keep();
  types_ = &types;
  at_work_ = journal_;
  return std::unique_ptr<Journal>(std::make_unique<JournalHandle>(journal_));
}

}  // namespace xplan
