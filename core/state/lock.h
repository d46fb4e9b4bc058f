// StateLock: the lock on one state file, and the replacement of the file's content under it.
//
// Who calls it: local_store.cc holds the lock; journal_file.cc, backend/workspace.cc and cmd use the small
// functions about files and about who holds a lock. Contract: the lock covers the whole file and conflicts
// with the fcntl locks of other programs. The information file `.NAME.lock.info` says who holds it. replace()
// leaves the old content or the new at any moment, and when it is done the path still names the file that was
// locked: a program that already waits on that file then reads and writes the right one. (A plain rename
// would leave it with an unlinked file, and what it writes there is lost.) Cost: replace() writes the text
// twice, once into a file beside it and once into the locked one. Thread-safety: one thread. Why
// open-file-description locks: traditional ones vanish when any descriptor of the file is closed in the
// process.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/state/store.h"

namespace xplan {

class StateLock {
 public:
  explicit StateLock(std::string path) : path_(std::move(path)) {}
  ~StateLock() { release(); }
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;

  Result<void> acquire(const std::string& operation, int64_t timeout_ms,
                       const std::atomic<bool>* stop = nullptr);
  void release();
  bool held() const { return !fds_.empty(); }
  // Precondition: held(). `ready`: called when all is written and only the path has to change; its error ends
  // it, and nothing was replaced.
  Result<void> replace(std::string_view text, const std::function<Result<void>()>& ready = nullptr);

 private:
  Result<bool> try_acquire();  // false: somebody else has it
  std::string path_, target_;  // target_: with links resolved, while held
  std::vector<int> fds_;       // the locked file first; more where a rename had to stay
  bool created_ = false;
};

// Of this user on this machine, now, with a new id.
LockInfo new_lock_info(const std::string& operation, const std::string& path);
std::optional<LockInfo> parse_lock_info(const std::string& json);  // as LockInfo::json() writes it
std::string lock_info_path(const std::string& state_path);
std::optional<LockInfo> read_lock_info(const std::string& state_path);
// What somebody else has written, as messages show it: on one line of at most 1,000 characters, with escapes
// (\x1b) for what is not printable.
std::string shown_foreign(std::string_view text);
// A lock's ID as an argument of a command; one with characters that cannot be shown as Bash takes it.
std::string lock_id_word(const std::string& id);
// The holder as the lines of a "Lock Info:" block.
std::string lock_info_text(const LockInfo& info);
bool locked_by_other(const std::string& path);  // a look without taking it; false for a missing file
bool is_device(const std::string& path);
bool lock_file(int fd);  // the whole file, exclusively, without waiting
Result<void> sync_folder_of(const std::string& path);
Result<void> make_folders(const std::string& dir);
std::string folder_of(const std::string& path);
std::string file_name_of(const std::string& path);
Error system_problem(const std::string& doing, const std::string& path, int code);

}  // namespace xplan
