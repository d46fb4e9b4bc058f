// The state store on local files: load, lock, take in the journal of a run that was killed, write atomically
// with a backup, start a journal, force-unlock. Implements store.h.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/leftovers.h"
#include "core/config/version.h"
#include "core/state/journal.h"
#include "core/state/lock.h"
#include "core/state/store.h"

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

 private:
  std::shared_ptr<JournalFile> file_;
};

class LocalStore : public StateStore {
 public:
  explicit LocalStore(const StatePaths& paths)
      : in_(paths.state),
        out_(paths.state_out.empty() ? paths.state : paths.state_out),
        backup_(paths.backup.empty() ? out_ + ".backup" : paths.backup),
        journal_path_(out_ + ".journal"),
        lock_(out_) {}

  Result<void> lock(const std::string& operation, int64_t timeout_ms,
                    const std::atomic<bool>* stop) override {
    Result<void> ok = lock_.acquire(operation, timeout_ms, stop);
    if (ok && backup_ != "-") remove_leftovers(backup_, Look::Once);
    return ok;
  }
  void unlock() override { lock_.release(); }
  std::string path() const override { return out_; }
  bool exists() const override { return (text_ && !text_->empty()) || left_over_; }
  std::string_view unsaved() const override { return unsaved_ ? *unsaved_ : std::string_view(); }

  Result<State> read(Diagnostics& diags) override;
  Result<void> write(State& s, const TypeSource& types) override;
  Result<void> replace(State& s, const TypeSource& types) override;
  Result<std::unique_ptr<Journal>> start_journal(const TypeSource& types) override;

 private:
  Result<void> load();
  Result<void> fold(Diagnostics& diags, bool& again);
  Result<void> store(State& s, const TypeSource& types);
  Result<void> store_folded();
  void keep_unknown(const std::vector<JournalRecord>& creations);
  Result<void> put(const std::string& text);
  Result<void> put_beside(const std::string& path, std::string_view text, const std::string& state) const;
  Result<void> remove_journal();
  Error unusable(const std::string& path, const std::string& why) const;
  Error foreign_journal(const JournalContent& j) const;

  std::string in_, out_, backup_, journal_path_;
  StateLock lock_;
  std::shared_ptr<const std::string> text_;  // as in the file; null before the first read
  std::shared_ptr<const std::string> unsaved_;
  State last_;                            // what it says, or what was last written
  std::shared_ptr<JournalFile> journal_;  // of this run
  bool left_over_ = false;                // a journal is folded into last_, but not into the file yet
  bool backed_up_ = false;
};

Error LocalStore::unusable(const std::string& path, const std::string& why) const {
  std::string message =
      "the state file \"" + path + "\" cannot be used: " + why + ". Replace it with a good copy";
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

Error LocalStore::foreign_journal(const JournalContent& j) const {
  auto name = [](const std::string& lineage, uint64_t serial) {
    return lineage.empty() ? std::string("an empty state")
                           : "lineage " + lineage + ", serial " + std::to_string(serial);
  };
  return Error{"the journal \"" + journal_path_ + "\" of an interrupted run belongs to another state (" +
               name(j.base.lineage, j.base.serial) + ") than the one in \"" + out_ + "\" (" +
               name(last_.lineage, last_.serial) + "). It contains " + std::to_string(j.records.size()) +
               " records of changes that may be missing from every state. Something else has written the "
               "state since then. Restore the state that the journal belongs to and run the command again; "
               "or, if you are sure that the current state has these changes, move the journal away"};
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
  if (alive && lock_.held())
    return Error{"another run is changing the state \"" + out_ +
                 "\" without holding its lock, as its journal \"" + journal_path_ +
                 "\" shows. Wait until it has finished"};
  auto j = read_journal(std::make_shared<const std::string>(std::move(*text)));
  if (!j.ok()) return unusable(journal_path_, j.error().message);
  if (j->empty) return lock_.held() ? remove_journal() : Result<void>();
  if (j->committed && j->committed->lineage == last_.lineage && j->committed->serial == last_.serial &&
      j->committed->digest == text_digest(*text_))
    return lock_.held() ? remove_journal() : Result<void>();
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
  std::erase_if(report.in_flight, [](const JournalRecord& r) { return r.action != "create"; });
  if (report.in_flight.size() == j->records.size() && !j->damaged) return {};
  if (auto r = only_begun && !j->damaged ? remove_journal() : store_folded(); !r.ok()) return r;
  left_over_ = false;
  keep_unknown(report.in_flight);
  return {};
}

// Objects that may exist without being in the state are told of by every run until one writes the state.
// (What is in the state is read by the next plan, whatever became of it.) They have been told once, so a
// journal that cannot be made is no reason to stop.
void LocalStore::keep_unknown(const std::vector<JournalRecord>& creations) {
  static const NoTypes types;
  if (creations.empty()) return;
  auto file = JournalFile::create(journal_path_, {last_.lineage, last_.serial}, types);
  if (!file.ok()) return;
  left_over_ = true;
  for (const JournalRecord& r : creations)
    if (!(*file)->append(r).ok()) return;
}

Result<void> LocalStore::store_folded() {
  State folded = last_;
  folded.serial = last_.serial + 1;
  if (folded.lineage.empty()) folded.lineage = new_uuid();
  return store(folded, NoTypes());  // all its objects are JSON text
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
Result<void> LocalStore::store(State& s, const TypeSource& types) {
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
    if (put_beside(rescue, *text, out_).ok())
      message += ". It was written to \"" + rescue +
                 "\" instead; after fixing the cause, restore it with \"state push\"";
    else if (journal_ && journal_->failed())
      message +=
          ", nor could \"" + rescue + "\", and the journal \"" + journal_path_ + "\" lacks some changes",
          unsaved_ = text;
    else if (journal_ || left_over_)
      message +=
          ". The journal \"" + journal_path_ + "\" has all changes, and the next run will pick them up";
    return Error{message};
  }
  text_ = text;
  last_ = s;
  if (journal_ || left_over_) {
    if (journal_) journal_->close();
    journal_ = nullptr;
    left_over_ = false;
    return remove_journal();
  }
  return {};
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
  if (!journal_) return {};
  journal_->close();
  journal_ = nullptr;
  return remove_journal();
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
  // One without a first record can be there still, if this run does not hold the lock.
  if (auto text = real_fs().read(journal_path_); text.ok() && !locked_by_other(journal_path_)) {
    auto j = read_journal(std::make_shared<const std::string>(std::move(*text)));
    if (j.ok() && (j->empty || j->records.empty()))
      if (auto r = remove_journal(); !r.ok()) return r.error();
  }
  auto file = JournalFile::create(journal_path_, {last_.lineage, last_.serial}, types);
  if (!file.ok()) return file.error();
  journal_ = *file;
  return std::unique_ptr<Journal>(std::make_unique<JournalHandle>(journal_));
}

}  // namespace

std::unique_ptr<StateStore> open_local_store(const StatePaths& paths) {
  return std::make_unique<LocalStore>(paths);
}

Result<void> force_unlock(const std::string& state_path, const std::string& id) {
  if (locked_by_other(state_path)) {
    std::string message = "the state \"" + state_path + "\" is locked by a process that is still running";
    auto info = read_lock_info(state_path);
    if (info && info->id != id) message += " (the ID of its lock is " + info->id + ", not " + id + ")";
    message += info ? ".\n" + lock_info_text(*info) : ".\n";
    message +=
        "\nThe lock of a local state ends with its process and cannot be released by another one. Wait "
        "until the run has finished, or interrupt it";
    return Error{message};
  }
  ::unlink(lock_info_path(state_path).c_str());  // of a dead process, if there is one
  return Error{"LocalState not locked: nobody holds the lock of \"" + state_path +
               "\", so there is nothing to unlock"};
}

}  // namespace xplan
