// The state store on local files: the lock, the file replaced atomically with a backup, force-unlock.
// Implements store.h.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/fs.h"
#include "core/base/leftovers.h"
#include "core/state/file_mark.h"
#include "core/state/journaled_store.h"
#include "core/state/lock.h"

namespace xplan {
namespace {

class LocalStore : public JournaledStore {
 public:
  LocalStore(const StatePaths& paths, const CodecPtr& codec)
      : JournaledStore(codec, paths),
        elsewhere_(paths.elsewhere),
        in_(paths.state.empty() ? "terraform.tfstate" : paths.state),
        out_(paths.state_out.empty() ? in_ : paths.state_out),
        files_(files_of(paths)),
        backup_(!paths.backup.empty() ? (files_.backup.empty() ? "-" : files_.backup)
                : paths.each_backup   ? out_ + "." + std::to_string(std::time(nullptr)) + ".backup"
                                      : out_ + ".backup"),
        journal_path_(out_ + ".journal"),
        journals_(journal_in_file(journal_path_, codec)),
        lock_(out_) {}

  Result<void> lock(const std::string& operation, int64_t timeout_ms, const std::atomic<bool>* stop) override;
  Result<void> unlock() override { return lock_.release(), Result<void>(); }
  bool locked_elsewhere() const override { return locked_by_other(out_); }
  bool breaks_locks() const override { return false; }
  Result<void> break_lock(const std::string& id) override;
  std::string path() const override { return out_; }
  StateFiles files() const override { return files_; }
  Result<void> may_change() const override;
  std::string kept() const override { return kept_; }

 protected:
  JournalHome& journals() override { return *journals_; }
  const JournalHome& journals() const override { return *journals_; }
  Result<std::string> get(Arrival* arrival) override;
  Result<void> unchanged() override;
  Result<void> put(const std::string& text) override;
  Result<void> back_up(const std::string& former) override;
  bool moves() const override { return in_ != out_; }
  std::string source() const override { return in_; }
  std::string elsewhere_note() const override {
    return elsewhere_
               ? "The backend of this directory is being changed, so commands with -state must be run in a "
                 "directory without a backend block"
               : "";
  }
  bool lock_held() const override { return lock_.held(); }
  Error unusable(const std::string& why, Unusable how) const override;
  Result<void> put_rescue(const std::string& path, std::string_view text) const override {
    return write_private(path, text);
  }

 private:
  Result<void> put_unlocked(const std::string& text);
  Result<void> put_beside(const std::string& path, std::string_view text, const std::string& state) const;

  const bool elsewhere_;  // its backend is not that of the directory
  const std::string in_, out_;
  const StateFiles files_;
  const std::string backup_, journal_path_;
  const std::unique_ptr<JournalHome> journals_;
  StateLock lock_;
  std::string kept_;  // the backup, once there is one
  FileMark mark_;     // of what put() replaces
};

Result<void> LocalStore::lock(const std::string& operation, int64_t timeout_ms,
                              const std::atomic<bool>* stop) {
  Result<void> ok = lock_.acquire(operation, timeout_ms, stop);
  if (!ok && real_fs().is_dir(out_))
    return Error{fmt::format(
        "cannot open the state file \"{}\": it is a directory. The path of a state must be that of a file",
        out_)};
  if (!ok && !locked_elsewhere())
    return Error{
        ok.error().message +
        ".\n\nThe lock is not held by another run; it could not be created. Fix the cause. Where the "
        "file system does not support locks, and for commands that only read the state, -lock=false "
        "can be used if no other run can change the state"};
  if (!ok) return ok;
  if (backup_ != "-") remove_leftovers(backup_, Look::Once);
  remove_leftovers(journal_path_, Look::Once);
  return ok;
}

Error LocalStore::unusable(const std::string& why, Unusable how) const {
  std::string message = "the state file \"" + in_ + "\" cannot be used: " + why;
  if (how == Unusable::Known) return Error{message};
  message += ". If it is damaged, replace it with an intact copy";
  if (real_fs().exists(backup_))
    message += " (\"" + backup_ + "\" contains the state before the last change)";
  if (how == Unusable::Damaged) message += kKeepAdvice;
  return Error{message};
}

Result<std::string> LocalStore::get(Arrival* /*arrival*/) {
  auto content_of = [](const std::string& path) -> Result<std::string> {
    return real_fs().exists(path) ? real_fs().read(path) : std::string();
  };
  mark_.look(out_);
  Result<std::string> bytes = content_of(in_);
  if (!moves() || is_device(out_)) {
    if (bytes) mark_.content(*bytes);
    return bytes;
  }
  const Result<std::string> replaced = content_of(out_);
  mark_.content(replaced ? *replaced : "");
  return bytes;
}

// Not every program asks for the lock: editors, copies, version control.
Result<void> LocalStore::unchanged() {
  const Result<bool> same = mark_.same(out_);
  if (!same) return same.error();
  return *same ? Result<void>() : conflict();
}

Result<void> LocalStore::put(const std::string& text) {
  Result<void> done = lock_.held() ? lock_.replace(text, [this] { return unchanged(); }) : put_unlocked(text);
  if (done) mark_.written(text);
  return done;
}

// What is written over, which is not what was read where -state-out says so.
Result<void> LocalStore::back_up(const std::string& former) {
  if (backup_ == "-") return {};
  std::string other;
  if (moves() && !is_device(out_) && real_fs().exists(out_)) {
    Result<std::string> bytes = real_fs().read(out_);
    if (!bytes) return bytes.error();
    other = std::move(*bytes);
  }
  const std::string& kept = moves() ? other : former;
  if (kept.empty()) return {};
  Result<void> ok = put_beside(backup_, kept, out_);
  if (ok) kept_ = backup_;
  return ok;
}

Result<void> LocalStore::put_unlocked(const std::string& text) {
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

Result<void> LocalStore::may_change() const {
  if (is_device(out_))
    return Error{"the state cannot be kept in \"" + out_ + "\", which is a device and not a file"};
  // Whoever opens a pipe waits for its reader, and the changes would have been made by then.
  if (struct stat st; backup_ != "-" && ::stat(backup_.c_str(), &st) == 0 && S_ISFIFO(st.st_mode))
    return Error{"the backup of the state cannot be kept in \"" + backup_ +
                 "\", which is a pipe and not a file"};
  return {};
}

// The kernel releases the lock of a dead process by itself, so there is never one that could be broken: the
// result says whether anybody holds it, and a stale information file goes.
Result<void> LocalStore::break_lock(const std::string& id) {
  if (locked_elsewhere()) {
    std::string message = "the state \"" + out_ + "\" is locked by a process that is still running";
    auto info = read_lock_info(out_);
    if (info && info->id != id)
      message += " (the ID of its lock is " + shown_foreign(info->id) + ", not " + id + ")";
    message += info ? ".\n" + lock_info_text(*info) : ".\n";
    message +=
        "\nThe lock of a local state ends with its process and cannot be released by another one. Wait "
        "until the run has finished, or interrupt it";
    return Error{message};
  }
  ::unlink(lock_info_path(out_).c_str());  // of a dead process, if there is one
  return Error{"the state \"" + out_ +
               "\" is not locked: nobody holds the lock, so there is nothing to release"};
}

}  // namespace

std::unique_ptr<StateStore> open_local_store(const StatePaths& paths,
                                             const std::shared_ptr<crypt::Codec>& codec) {
  return std::make_unique<LocalStore>(paths, codec);
}

}  // namespace xplan
