// Writing a file so that readers see the old content or the new: a draft beside it, fsync, rename.
#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/draft_file.h"
#include "core/base/fs.h"
#include "core/base/fs_internal.h"
#include "core/base/leftovers.h"
#include "core/base/write_all.h"

namespace xplan {
namespace {

// Asking changes it for a moment, so it is asked while there is one thread.
const mode_t kUmask = [] {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return mask;
}();

constexpr size_t kPiece = 1 << 20;

// Nothing, the error of `next`, or the system's as a number.
Result<int> write_pieces(int fd, const NextPiece& next) {
  std::string piece;
  for (bool more = true; more;) {
    piece.clear();
    Result<bool> ok = next(piece);
    if (!ok) return ok.error();
    more = *ok;
    if (int code = write_all(fd, piece)) return code;
  }
  return 0;
}

// A device or a pipe.
Result<void> write_into(const std::string& path, const NextPiece& next) {
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (fd.get() < 0) return system_error("open", path, errno);
  Result<int> code = write_pieces(fd.get(), next);
  if (!code) return code.error();
  if (*code != 0) return system_error("write", path, *code);
  return {};
}

// The directory of a file that is about to get its name, opened before that: afterwards nothing may fail
// that would make a file that is there look like none.
class Names {
 public:
  explicit Names(std::string parent) : parent_(std::move(parent)) {}
  Result<void> open() {
    dir_.reset(::open(parent_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // One that may only be written to cannot be synchronized.
    if (dir_.get() < 0 && errno != EACCES) return system_error("open the directory", parent_, errno);
    return {};
  }
  // A new name lasts only once the directory itself is on the disk.
  Result<void> keep() {
    // Some file systems cannot synchronize directories and say so; there is nothing more to be done there.
    if (dir_.get() >= 0 && ::fsync(dir_.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
      return system_error("synchronize the directory", parent_, errno);
    return {};
  }

 private:
  std::string parent_;
  Descriptor dir_{-1};
};

// A file that is replaced keeps its owner, where this process may give files away (under sudo, say). In a
// directory of others it does not: somebody may have put it there to get what is written.
void keep_owner(const std::string& path, int draft) {
  struct stat there, mine, directory;
  if (::lstat(path.c_str(), &there) != 0 || !S_ISREG(there.st_mode) || ::fstat(draft, &mine) != 0) return;
  if (::stat(parent_of(path).c_str(), &directory) != 0 || directory.st_uid != there.st_uid) return;
  if (there.st_uid == mine.st_uid && there.st_gid == mine.st_gid) return;
  if (::fchown(draft, there.st_uid, there.st_gid) != 0) return;  // not allowed: it is ours from here on
}

// False: something is at the path, which was to be kept.
Result<bool> write_beside(const std::string& path, const NextPiece& next, mode_t mode, Existing existing) {
  remove_leftovers(path, Look::Once);
  DraftFile draft(path);
  if (draft.fd() < 0) return draft.failed();
  Result<int> code = write_pieces(draft.fd(), next);
  if (!code) return code.error();
  if (*code != 0) return system_error("write", path, *code);
  Names names(parent_of(path));
  if (Result<void> opened = names.open(); !opened) return opened.error();
  if (existing == Existing::Replaced) keep_owner(path, draft.fd());
  Result<bool> placed = draft.place(mode, existing);
  if (!placed || !*placed) return placed;
  if (Result<void> kept = names.keep(); !kept) {
    if (existing == Existing::Kept) ::unlink(path.c_str());  // an error means that there is no new file
    return kept.error();
  }
  return true;
}

// `data` has to last.
NextPiece pieces_of(std::string_view data) {
  return [data](std::string& piece) mutable -> Result<bool> {
    piece = data.substr(0, kPiece);
    data.remove_prefix(piece.size());
    return !data.empty();
  };
}

}  // namespace

Result<void> write_atomic(const std::string& path, const NextPiece& next, int mode) {
  if (has_zero(path)) return Error{"cannot write to a path that contains a NUL character"};
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    return write_into(path, next);
  const mode_t masked = static_cast<mode_t>(mode) & ~kUmask;
  if (Result<bool> done = write_beside(path, next, masked, Existing::Replaced); !done) return done.error();
  return {};
}

Result<void> write_private(const std::string& path, std::string_view data) {
  struct stat there;
  const bool file = !has_zero(path) && ::stat(path.c_str(), &there) == 0 && S_ISREG(there.st_mode);
  if (!file) return write_atomic(path, data, 0600);
  const Result<bool> done = write_beside(path, pieces_of(data), there.st_mode & 0777, Existing::Replaced);
  return done ? Result<void>() : done.error();
}

Result<bool> write_new(const std::string& path, std::string_view data, int mode) {
  if (has_zero(path)) return Error{"cannot write to a path that contains a NUL character"};
  return write_beside(path, pieces_of(data), static_cast<mode_t>(mode) & ~kUmask, Existing::Kept);
}

Result<void> write_atomic(const std::string& path, std::string_view data, int mode) {
  return write_atomic(path, pieces_of(data), mode);
}

}  // namespace xplan
