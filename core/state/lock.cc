// The lock on a state file (fcntl lock plus .NAME.lock.info), waiting for it, and replacing the file's
// content while the lock stays held.
#include "core/state/lock.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/command_line.h"
#include "core/base/document.h"
#include "core/base/fs.h"
#include "core/base/json_writer.h"
#include "core/base/leftovers.h"
#include "core/base/quote.h"
#include "core/base/utf8.h"
#include "core/base/write_all.h"
#include "core/cloud/time.h"
#include "core/config/version.h"
#include "core/state/lock_holder.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

namespace xplan {

Error system_problem(const std::string& doing, const std::string& path, int code) {
  std::string why = std::strerror(code);
  if (!why.empty() && why[0] >= 'A' && why[0] <= 'Z') why[0] = static_cast<char>(why[0] - 'A' + 'a');
  return Error{"cannot " + doing + " \"" + path + "\": " + why};
}

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string file_name_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

Result<void> make_folders(const std::string& dir) {
  struct stat st;
  if (::stat(dir.c_str(), &st) == 0) return {};
  for (size_t i = 1; i <= dir.size(); ++i) {
    if (i < dir.size() && dir[i] != '/') continue;
    std::string part = dir.substr(0, i);
    if (::mkdir(part.c_str(), 0755) != 0 && errno != EEXIST)
      return system_problem("create the directory", part, errno);
  }
  return {};
}

Result<void> sync_folder_of(const std::string& path) {
  std::string dir = folder_of(path);
  int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return system_problem("open the directory", dir, errno);
  int failed = ::fsync(fd) != 0 ? errno : 0;
  ::close(fd);
  // Some file systems cannot synchronize directories and say so.
  if (failed && failed != EINVAL && failed != ENOTSUP)
    return system_problem("synchronize the directory", dir, failed);
  return {};
}

bool is_device(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISCHR(st.st_mode);
}

bool lock_file(int fd) {
  struct flock fl = {};
  fl.l_type = F_WRLCK;
  fl.l_whence = SEEK_SET;
  return ::fcntl(fd, F_OFD_SETLK, &fl) == 0;
}

bool locked_by_other(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a named pipe must not hang
  if (fd < 0) return false;
  struct flock fl = {};
  fl.l_type = F_WRLCK;
  fl.l_whence = SEEK_SET;
  bool locked = ::fcntl(fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
  ::close(fd);
  return locked;
}

std::string lock_info_path(const std::string& state_path) {
  std::string name = "." + file_name_of(state_path) + ".lock.info";
  return state_path.find('/') == std::string::npos ? name : folder_of(state_path) + "/" + name;
}

std::string LockInfo::json() const {
  JsonWriter w;
  w.begin_object();
  w.member("ID", id);
  w.member("Operation", operation);
  w.member("Info", info);
  w.member("Who", who);
  w.member("Version", version);
  w.member("Created", created);
  w.member("Path", path);
  w.end_object();
  return w.take();
}

std::optional<LockInfo> read_lock_info(const std::string& state_path) {
  auto text = real_fs().read(lock_info_path(state_path));
  if (!text.ok()) return std::nullopt;
  return parse_lock_info(*text);
}

std::string shown_foreign(std::string_view text) {
  constexpr size_t kMost = 1000;
  std::string out;
  size_t n = 0;
  for (size_t at = 0; at < text.size(); ++n) {
    if (n == kMost) return out + "…";
    const size_t from = at;
    const bool valid = utf8_length_at(text, at) > 0;
    const char32_t c = utf8_decode(text, at);
    const std::string_view one = text.substr(from, at - from);
    std::string quoted;
    if (!valid || !is_printable(c)) append_quoted(quoted, one, Quoting::Debug);
    out += quoted.empty() ? one : std::string_view(quoted).substr(1, quoted.size() - 2);
  }
  return out;
}

namespace {

// Notes that follow each other on a line of their own each, as such lines are not wrapped.
std::string notes_text(std::string text) {
  for (size_t at = 0; (at = text.find("; ", at)) != text.npos;) text.replace(at, 2, "\n             ");
  return text;
}

}  // namespace

std::string lock_id_word(const std::string& id) {
  const std::string shown = shown_foreign(id), before = id.starts_with('-') ? "-- " : "";
  if (shown == id || id.size() > 1000) return before + shell_word(shown);
  std::string quoted;
  append_quoted(quoted, id, Quoting::Debug);
  std::string out = before + "$'";
  for (const char c : quoted.substr(1, quoted.size() - 2)) c == '\'' ? out += "\\'" : out += c;
  return out + "'";
}

std::string lock_info_text(const LockInfo& i) {
  std::string created = i.created;  // 2026-01-02T03:04:05.6Z is shown as 2026-01-02 03:04:05.6 +0000 UTC
  if (created.size() > 11 && created[10] == 'T' && created.back() == 'Z') {
    created[10] = ' ';
    created.pop_back();
    created += " +0000 UTC";
  }
  std::string out = "Lock Info:\n";
  for (const auto& [name, text] :
       {std::pair("ID:       ", &i.id), std::pair("Path:     ", &i.path),
        std::pair("Operation:", &i.operation), std::pair("Who:      ", &i.who),
        std::pair("Version:  ", &i.version),
        std::pair("Created:  ", static_cast<const std::string*>(&created)), std::pair("Info:     ", &i.info)})
    if (!text->empty()) out += "  " + std::string(name) + " " + notes_text(shown_foreign(*text)) + "\n";
  return out;
}

namespace {

std::string user_at_host() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = 0;
  struct passwd pw, *found = nullptr;
  char buffer[4096];
  std::string user;
  if (::getpwuid_r(::geteuid(), &pw, buffer, sizeof buffer, &found) == 0 && found)
    user = found->pw_name;
  else
    user = std::to_string(::geteuid());
  return user + "@" + host;
}

std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  std::string out = real ? real : path;
  std::free(real);
  return out;
}

}  // namespace

LockInfo new_lock_info(const std::string& operation, const std::string& path) {
  return {new_uuid(), operation, "", user_at_host(), std::string(kLanguageVersion), utc_now(9), path};
}

std::optional<LockInfo> parse_lock_info(const std::string& json) {
  const auto doc = parse_document(json);
  if (!doc || !doc->is_object()) return std::nullopt;
  auto get = [&](const char* name) { return string_in(*doc, name); };
  return LockInfo{get("ID"),      get("Operation"), get("Info"), get("Who"),
                  get("Version"), get("Created"),   get("Path")};
}

Result<bool> StateLock::try_acquire() {
  if (auto made = make_folders(folder_of(path_)); !made.ok()) return made.error();
  for (;;) {
    bool existed = true;
    int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
      existed = false;
      fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    if (fd < 0) return system_problem("open the state file", path_, errno);
    struct stat ours, there;
    if (::fstat(fd, &ours) != 0 || !S_ISREG(ours.st_mode)) {
      ::close(fd);
      return Error{"cannot lock the state file \"" + path_ + "\": it is not a regular file"};
    }
    if (!lock_file(fd)) {
      int code = errno;
      ::close(fd);
      if (code == EAGAIN || code == EACCES) return false;
      return system_problem("lock the state file", path_, code);
    }
    // While we opened it, its last holder may have replaced or removed the file.
    if (::stat(path_.c_str(), &there) != 0 || there.st_ino != ours.st_ino || there.st_dev != ours.st_dev) {
      ::close(fd);
      continue;
    }
    fds_.push_back(fd);
    created_ = !existed;
    target_ = resolved(path_);
    return true;
  }
}

namespace {

// The kernel says that the lock is held, so its process is at work: here, or where the file system is shared.
std::string lock_advice(const std::string& path) {
  const auto info = read_lock_info(path);
  const std::string holder = info ? lock_holder_text(*info, cloud::unix_now()) : std::string();
  const std::optional<pid_t> pid = process_locking(path);
  return (holder.empty() ? "" : holder + ". ") + "The process that holds the lock" +
         (pid ? " (PID " + std::to_string(*pid) + ")" : "") +
         " is still running, and may be changing the state; its lock ends with it. Wait until it has "
         "finished, "
         "or use -lock-timeout to wait for it";
}

}  // namespace

Result<void> StateLock::acquire(const std::string& operation, int64_t timeout_ms,
                                const std::atomic<bool>* stop) {
  if (held() || is_device(path_)) return {};  // nothing is kept in a device such as /dev/null
  for (int64_t waited = 0, pause = 50;;) {
    auto got = try_acquire();
    if (!got.ok()) return got.error();
    if (*got) break;
    const bool stopped = stop && stop->load();
    if (waited >= timeout_ms || stopped) {
      std::string message = "The state \"" + path_ + "\" is locked by another process" +
                            (stopped ? ", and waiting for it was interrupted" : "");
      if (auto info = read_lock_info(path_))
        message += ".\n" + lock_info_text(*info);
      else
        message += "; the holder of the lock is not known, because \"" + lock_info_path(path_) +
                   "\" cannot be read.\n";
      return Error{message + "\n" + lock_advice(path_)};
    }
    int64_t step = std::min(pause, timeout_ms - waited);
    ::usleep(static_cast<useconds_t>(step * 1000));
    waited += step;
    pause = std::min<int64_t>(pause * 2, 200);  // so that an interrupt is heard soon
  }
  remove_leftovers(target_, Look::Again);
  const LockInfo info = new_lock_info(operation, path_);
  // The file of a dead holder is replaced without asking: its lock is gone.
  std::string info_path = lock_info_path(path_);
  ::unlink(info_path.c_str());
  int fd = ::open(info_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  const int failed = fd < 0 ? errno : write_all(fd, info.json());  // need not survive a crash, as the lock
  const bool ok = failed == 0;
  Error problem = ok ? Error{} : system_problem("write", info_path, failed);
  if (fd >= 0) ::close(fd);
  if (ok) return {};
  release();
  return problem;
}

void StateLock::release() {
  if (!held()) return;
  ::unlink(lock_info_path(path_).c_str());
  struct stat st;
  // The lock needs a file; if nothing was written into the one made for it, there is still no state.
  if (created_ && ::fstat(fds_[0], &st) == 0 && st.st_size == 0) ::unlink(path_.c_str());
  for (int fd : fds_) ::close(fd);
  fds_.clear();
  created_ = false;
}

Result<void> StateLock::replace(std::string_view text, const std::function<Result<void>()>& ready) {
  struct stat st, there;
  if (::fstat(fds_[0], &st) != 0) return system_problem("examine", path_, errno);
  const mode_t mode = st.st_mode & 0777;
  const std::string beside = temporary_beside(target_);
  int fd = create_temporary(beside);
  if (fd < 0) return system_problem("create", beside, errno);
  auto fail = [&](const std::string& doing) -> Error {
    Error e = system_problem(doing, path_, errno);
    ::close(fd);
    ::unlink(beside.c_str());
    return e;
  };
  // Locked before it can be seen under the name of the state.
  if (!lock_file(fd)) return fail("lock the new content of");
  if (::fchmod(fd, mode) != 0 || (errno = write_all(fd, text)) != 0 || ::fsync(fd) != 0) return fail("write");
  if (Result<void> ok = ready ? ready() : Result<void>(); !ok) {
    ::close(fd);
    ::unlink(beside.c_str());
    return ok;
  }
  // What is there may be another file than the one that was locked: somebody has replaced it before it was
  // read.
  const bool ours =
      ::stat(target_.c_str(), &there) == 0 && there.st_ino == st.st_ino && there.st_dev == st.st_dev;
  if (!ours || ::renameat2(AT_FDCWD, beside.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    // Nor is there an exchange on every file system: the new file stays, and both are kept locked until the
    // end.
    if (::rename(beside.c_str(), target_.c_str()) != 0) return fail("replace");
    fds_.insert(fds_.begin(), fd);
    return sync_folder_of(target_);
  }
  if (auto synced = sync_folder_of(target_); !synced.ok()) {
    fds_.insert(fds_.begin(), fd);
    return synced;
  }
  // The path has the whole new content now, durably. Bring the old file up to date and put it back in its
  // place.
  int old = fds_[0];
  bool same = ::lseek(old, 0, SEEK_SET) == 0 && ::ftruncate(old, 0) == 0 && write_all(old, text) == 0 &&
              ::fsync(old) == 0 && ::rename(beside.c_str(), target_.c_str()) == 0;
  if (!same) {
    ::unlink(beside.c_str());
    fds_.insert(fds_.begin(), fd);
    return {};
  }
  ::close(fd);
  return sync_folder_of(target_);
}

}  // namespace xplan
