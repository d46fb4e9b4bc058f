// The state store on local files: load, lock, take in the journal of a run that was killed, write atomically
// with a backup, start a journal, force-unlock. Implements store.h.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "core/base/command_line.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/leftovers.h"
#include "core/config/version.h"
#include "core/state/journal.h"
#include "core/state/lock.h"
#include "core/state/store.h"
#include "core/state/unknown_outcome.h"

namespace xplan {
namespace {

struct NoTypes : TypeSource {
  std::optional<Type> type_of(const ProviderAddr&, Mode, Symbol) const override { return std::nullopt; }
};

// What the caller of apply holds; the file itself belongs to the store too, which ends it.
class JournalHandle : public Journal {
 public:
  explicit JournalHandle(std::shared_ptr<JournalFile> file) : file_(std::move(file)) {}
  Result<void> append(const JournalRecord& r) override { return file_->append(r); }
  std::vector<JournalRecord> unanswered() const override { return file_->unanswered(); }

 private:
  std::shared_ptr<JournalFile> file_;
};

// Of objects that may exist without being in the state. What is in it is read by the next plan, whatever
// became of it.
std::vector<JournalRecord> creations_of(std::vector<JournalRecord> intents) {
  std::erase_if(intents, [](const JournalRecord& r) { return r.action != "create"; });
  return intents;
}

class LocalStore : public StateStore {
 public:
  explicit LocalStore(const StatePaths& paths)
      : in_(paths.state.empty() ? "terraform.tfstate" : paths.state),
        out_(paths.state_out.empty() ? in_ : paths.state_out),
        backup_(!paths.backup.empty() ? paths.backup
                : paths.each_backup   ? out_ + "." + std::to_string(std::time(nullptr)) + ".backup"
                                      : out_ + ".backup"),
        journal_path_(out_ + ".journal"),
        lock_(out_) {}

  Result<void> lock(const std::string& operation, int64_t timeout_ms,
                    const std::atomic<bool>* stop) override {
    Result<void> ok = lock_.acquire(operation, timeout_ms, stop);
    if (ok && backup_ != "-") remove_leftovers(backup_, Look::Once);
    if (ok) remove_leftovers(journal_path_, Look::Once);
    return ok;
  }
  void unlock() override { lock_.release(); }
  bool locked_elsewhere() const override { return locked_by_other(out_); }
  Result<void> break_lock(const std::string& id) override;
  std::string path() const override { return out_; }
  bool exists() const override {
    return (text_ && !text_->empty()) || left_over_ || !last_.resources.empty();
  }
  std::string_view unsaved() const override { return unsaved_ ? *unsaved_ : std::string_view(); }

  Result<State> read(Diagnostics& diags) override;
  Result<void> write(State& s, const TypeSource& types) override;
  Result<void> replace(State& s, const TypeSource& types) override;
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;

 private:
  Result<void> load();
  Result<void> fold(Diagnostics& diags, bool& again);
  enum class Stored : uint8_t { New, Folded };  // Folded: a journal that stays has all of it
  Result<void> store(State& s, const TypeSource& types, Stored what = Stored::New);
  Result<void> store_folded();
  Result<void> end_journal();
  Result<void> end_own_journal();
  Result<void> put(const std::string& text);
  Result<void> put_beside(const std::string& path, std::string_view text, const std::string& state) const;
  Result<void> remove_journal();
  Error unusable(const std::string& path, const std::string& why) const;
  std::string by_hand() const;
  Error busy() const;
  Error unusable_journal(const std::string& why) const;
  Error foreign_journal(const JournalContent& j) const;

  std::string in_, out_, backup_, journal_path_;
  StateLock lock_;
  std::shared_ptr<const std::string> text_;  // as in the file; null before the first read
  std::shared_ptr<const std::string> unsaved_;
  State last_;                            // what it says, or what was last written
  std::shared_ptr<JournalFile> journal_;  // of this run
  std::vector<JournalRecord> unknown_;    // creations to be told of when the journal that has them ends
  bool left_over_ = false;                // a journal is folded into last_, but not into the file yet
  bool backed_up_ = false;
};

Error LocalStore::unusable(const std::string& path, const std::string& why) const {
  std::string message = "the state file \"" + path + "\" cannot be used: " + why +
                        ". If it is damaged, replace it with an intact copy";
  if (real_fs().exists(backup_))
    message += " (\"" + backup_ + "\" contains the state before the last change)";
  return Error{message + "; do not delete it, because the objects it lists would no longer be tracked"};
}

Result<void> LocalStore::load() {
  std::string text;
  if (real_fs().exists(in_)) {
    auto read = real_fs().read(in_);
    if (!read.ok()) return read.error();
    text = std::move(*read);
  }
  text_ = std::make_shared<const std::string>(std::move(text));
  if (text_->empty()) {
    last_ = State();
    return {};
  }
  auto s = read_state(text_);
  if (!s.ok()) return unusable(in_, s.error().message);
  last_ = std::move(*s);
  return {};
}

// What it lists cannot be taken in, so that only people can do that.
std::string LocalStore::by_hand() const {
  return "move the journal to another name, so that it is kept, and run the command again. Each of its lines "
         "has a length, a checksum and then one change as JSON. Import objects that only the journal lists, "
         "or delete them on the "
         "provider's side";
}

// The journal of a living run is there, whoever has the lock.
Error LocalStore::busy() const {
  return Error{
      "another run is changing the state \"" + out_ + "\"" +
      (lock_.held() ? " without holding its lock" : "") + ", as its journal \"" + journal_path_ +
      "\" shows. Wait until it has finished, and do not delete the journal, which records what it does"};
}

Error LocalStore::unusable_journal(const std::string& why) const {
  return Error{"the journal \"" + journal_path_ + "\" of an interrupted run cannot be used: " + why +
               ". The state may lack changes that it lists. If another version of this program wrote it, run "
               "that version. Otherwise, " +
               by_hand()};
}

Error LocalStore::foreign_journal(const JournalContent& j) const {
  auto name = [](const std::string& lineage, uint64_t serial) {
    return lineage.empty() ? std::string("an empty state")
                           : "lineage " + lineage + ", serial " + std::to_string(serial);
  };
  return Error{"the journal \"" + journal_path_ + "\" of an interrupted run belongs to another state (" +
               name(j.base.lineage, j.base.serial) + ") than the one in \"" + out_ + "\" (" +
               name(last_.lineage, last_.serial) + "). It contains " + std::to_string(j.records.size()) +
               (j.records.size() == 1 ? " record" : " records") +
               " of changes that may be missing from every state. Something else has written the "
               "state since then. " +
               (j.base.lineage.empty() ? "To go on, "  // nobody can restore that
                                       : "If you have the state that the journal belongs to, restore it and "
                                         "run the command again. Otherwise, ") +
               by_hand()};
}

// Takes in what a dead run has left. `again`: the files were changed meanwhile, so they have to be read once
// more.
Result<void> LocalStore::fold(Diagnostics& diags, bool& again) {
  again = false;
  if (!real_fs().exists(journal_path_)) return {};
  const bool alive = locked_by_other(journal_path_);
  auto text = real_fs().read(journal_path_);
  if (!text.ok()) {
    if (!real_fs().exists(journal_path_)) return again = true, Result<void>();
    return text.error();
  }
  if (alive && lock_.held()) return busy();
  auto j = read_journal(std::make_shared<const std::string>(std::move(*text)));
  if (!j.ok()) return unusable_journal(j.error().message);
  if (j->empty) return lock_.held() ? remove_journal() : Result<void>();
  if (j->committed && j->committed->lineage == last_.lineage && j->committed->serial == last_.serial &&
      j->committed->digest == text_digest(*text_)) {
    // All of it is in the state but what nobody knows, which whoever wrote the state may not have told.
    State nothing;
    unknown_ = creations_of(fold_journal(nothing, j->records).in_flight);
    if (!alive && !unknown_.empty()) report_fold({.in_flight = unknown_}, false, diags);
    if (lock_.held()) return end_journal();
    left_over_ = !alive;  // whoever writes the state without the lock ends it
    return unknown_.clear(), Result<void>();
  }
  if (j->records.empty() && !j->damaged) return lock_.held() ? remove_journal() : Result<void>();
  // Nothing of it belongs into the state, whatever has been written since.
  const bool only_begun = std::all_of(j->records.begin(), j->records.end(), [](const JournalRecord& r) {
    return r.kind == JournalRecord::Kind::Intent;
  });
  if (j->base.lineage != last_.lineage || j->base.serial != last_.serial) {
    if (alive) return again = true, Result<void>();
    if (!only_begun || j->damaged || j->base.lineage != last_.lineage) return foreign_journal(*j);
  }
  FoldReport report = fold_journal(last_, j->records);
  if (!alive) report_fold(report, j->damaged, diags);
  left_over_ = !alive;
  if (!lock_.held()) return {};
  unknown_ = creations_of(std::move(report.in_flight));
  if (unknown_.size() == j->records.size() && !j->damaged) return unknown_.clear(), Result<void>();
  if (only_begun && !j->damaged) return end_journal();
  // Where there is no room, for instance: the journal stays, whoever only reads can go on, and whoever
  // changes something hears of it.
  if (!store_folded().ok()) unknown_.clear();
  return {};
}

// Objects that may exist without being in the state are told of by every run until one writes the state: a
// journal of nothing else takes the place of the one that ends, at once, so that a run killed meanwhile
// leaves one of them. They have been told once, so one that cannot be made is not a reason to stop.
Result<void> LocalStore::end_journal() {
  static const NoTypes types;
  left_over_ = false;
  const std::vector<JournalRecord> kept = std::exchange(unknown_, {});
  if (kept.empty()) return remove_journal();
  const std::string beside = temporary_beside(journal_path_);
  auto file = JournalFile::create(beside, {last_.lineage, last_.serial}, types);
  left_over_ = file.ok() && std::all_of(kept.begin(), kept.end(),
                                        [&](const JournalRecord& r) { return (*file)->append(r).ok(); });
  left_over_ = left_over_ && ::rename(beside.c_str(), journal_path_.c_str()) == 0;
  if (left_over_) return sync_folder_of(journal_path_);
  ::unlink(beside.c_str());
  return remove_journal();
}

Result<void> LocalStore::store_folded() {
  State folded = last_;
  folded.serial = last_.serial + 1;
  if (folded.lineage.empty()) folded.lineage = new_uuid();
  return store(folded, NoTypes(), Stored::Folded);  // all its objects are JSON text
}

Result<State> LocalStore::read(Diagnostics& diags) {
  left_over_ = false;
  for (int attempt = 0;; ++attempt) {
    if (auto r = load(); !r.ok()) return r.error();
    if (journal_) break;  // our own
    bool again = false;
    if (auto r = fold(diags, again); !r.ok()) return r.error();
    // A living run that is just writing its result: what is in the file is whole in any case.
    if (!again || attempt == 3) break;
    ::usleep(50000);
  }
  return last_;
}

Result<void> LocalStore::remove_journal() {
  if (::unlink(journal_path_.c_str()) != 0 && errno != ENOENT)
    return system_problem("remove the journal", journal_path_, errno);
  return sync_folder_of(journal_path_);
}

Result<void> LocalStore::put(const std::string& text) {
  if (lock_.held()) return lock_.replace(text);
  if (auto made = make_folders(folder_of(out_)); !made.ok()) return made.error();
  char* real = ::realpath(out_.c_str(), nullptr);
  std::string target = real ? real : out_;
  std::free(real);
  return put_beside(target, text, target);
}

// As open to others as the state itself is, since the same secrets are in it.
Result<void> LocalStore::put_beside(const std::string& path, std::string_view text,
                                    const std::string& state) const {
  struct stat st;
  if (::stat(state.c_str(), &st) != 0) return write_atomic(path, text);
  const mode_t mode = st.st_mode & 0777;
  if (Result<void> ok = write_atomic(path, text, static_cast<int>(mode)); !ok) return ok;
  ::chmod(path.c_str(), mode);  // what the umask took away; without it, fewer may read
  return {};
}

namespace {
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

// Writes `s` as it is, after the backup, and ends the journal that led to it.
Result<void> LocalStore::store(State& s, const TypeSource& types, Stored what) {
  s.terraform_version = kLanguageVersion;
  auto text = std::make_shared<const std::string>(exact_text(s, types));
  auto written = [&]() -> Result<void> {
    if (!backed_up_ && backup_ != "-" && text_ && !text_->empty()) {
      if (auto r = put_beside(backup_, *text_, in_); !r.ok()) return r.error();
    }
    backed_up_ = true;
    JournalCommit commit{s.lineage, s.serial, text_digest(*text)};
    if (journal_) {
      // One that could not take everything any more must not keep the state from being written.
      if (auto r = journal_->commit(commit); !r.ok() && !journal_->failed()) return r.error();
    } else if (left_over_) {
      if (auto r = JournalFile::append_commit(journal_path_, commit); !r.ok()) return r.error();
    }
    return put(*text);
  }();
  if (!written.ok()) {
    // Out of room, for instance. Another place may still take it.
    std::string rescue = "errored.tfstate",
                message = "the state could not be written: " + written.error().message;
    if (what == Stored::Folded)
      message +=
          ". The journal \"" + journal_path_ +
          "\" has all changes of the interrupted run, and the next run will pick them up once the cause "
          "is fixed";
    else if (put_beside(rescue, *text, out_).ok())
      message += ". It was written to \"" + rescue + "\" instead; after fixing the cause, restore it with " +
                 own_command("state push " + rescue);
    else if (journal_ && journal_->failed())
      message +=
          ", nor could \"" + rescue + "\", and the journal \"" + journal_path_ + "\" lacks some changes",
          unsaved_ = text;
    else if (journal_)
      message += ". The journal \"" + journal_path_ +
                 "\" has all changes, and the next run will pick them up once the cause is fixed";
    return Error{message};
  }
  text_ = text;
  last_ = s;
  if (journal_) return end_own_journal();
  return left_over_ ? end_journal() : Result<void>();
}

Result<void> LocalStore::end_own_journal() {
  std::vector<JournalRecord> open = journal_->unanswered();
  drop_known_outcomes(open, last_);
  unknown_ = creations_of(std::move(open));
  journal_->close();
  journal_ = nullptr;
  return end_journal();
}

Result<void> LocalStore::write(State& s, const TypeSource& types) {
  if (!text_) return Error{"the state \"" + out_ + "\" must be read before it is written"};
  bool differs = left_over_ || text_->empty() || in_ != out_ || !same_content(s, last_, types);
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

Result<void> LocalStore::replace(State& s, const TypeSource& types) {
  if (!text_) return Error{"the state \"" + out_ + "\" must be read before it is written"};
  return store(s, types);
}

Result<std::unique_ptr<Journal>> LocalStore::start_journal(const TypeSource& types) {
  if (!text_) return Error{"the state \"" + out_ + "\" must be read before a journal is started for it"};
  if (left_over_)
    if (auto r = store_folded(); !r.ok()) return r.error();
  if (journal_) journal_->close();
  if (auto made = make_folders(folder_of(out_)); !made.ok()) return made.error();
  if (is_device(out_))
    return Error{"the state cannot be kept in \"" + out_ + "\", which is a device and not a file"};
  // Whoever opens a pipe waits for its reader, and the changes would have been made by then.
  if (struct stat st; backup_ != "-" && ::stat(backup_.c_str(), &st) == 0 && S_ISFIFO(st.st_mode))
    return Error{"the backup of the state cannot be kept in \"" + backup_ +
                 "\", which is a pipe and not a file"};
  // One without a first record can be there still, if this run does not hold the lock.
  if (auto text = real_fs().read(journal_path_); text.ok() && !locked_by_other(journal_path_)) {
    auto j = read_journal(std::make_shared<const std::string>(std::move(*text)));
    if (j.ok() && (j->empty || j->records.empty()))
      if (auto r = remove_journal(); !r.ok()) return r.error();
  }
  if (locked_by_other(journal_path_)) return busy();
  auto file = JournalFile::create(journal_path_, {last_.lineage, last_.serial}, types);
  if (!file.ok()) return file.error();
  journal_ = *file;
  return std::unique_ptr<Journal>(std::make_unique<JournalHandle>(journal_));
}

// The kernel releases the lock of a dead process by itself, so there is never one that could be broken: the
// result says whether anybody holds it, and a stale information file goes.
Result<void> LocalStore::break_lock(const std::string& id) {
  if (locked_elsewhere()) {
    std::string message = "the state \"" + out_ + "\" is locked by a process that is still running";
    auto info = read_lock_info(out_);
    if (info && info->id != id) message += " (the ID of its lock is " + info->id + ", not " + id + ")";
    message += info ? ".\n" + lock_info_text(*info) : ".\n";
    message +=
        "\nThe lock of a local state ends with its process and cannot be released by another one. Wait "
        "until the run has finished, or interrupt it";
    return Error{message};
  }
  ::unlink(lock_info_path(out_).c_str());  // of a dead process, if there is one
  return Error{"LocalState not locked: nobody holds the lock of \"" + out_ +
               "\", so there is nothing to unlock"};
}

}  // namespace

std::unique_ptr<StateStore> open_local_store(const StatePaths& paths) {
  return std::make_unique<LocalStore>(paths);
}

}  // namespace xplan
