// Writing a file so that readers see the old content or the new: temporary file, fsync, rename.
#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

std::string_view parent_of(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? std::string_view("/") : path.substr(0, slash);
}

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

}  // namespace

Result<void> write_atomic(const std::string& path, const NextPiece& next, int mode) {
  if (has_zero(path)) return Error{"cannot write to a path that contains a zero byte"};
  struct stat there;
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    return write_into(path, next);
  remove_leftovers(path, Look::Once);
  const std::string temporary = temporary_beside(path);
  Descriptor fd(create_temporary(temporary));
  if (fd.get() < 0) return system_error("create", temporary, errno);
  auto fail = [&](std::string_view doing, int code) {
    ::unlink(temporary.c_str());
    return system_error(doing, path, code);
  };
  Result<int> code = write_pieces(fd.get(), next);
  if (!code) return ::unlink(temporary.c_str()), code.error();
  if (*code != 0) return fail("write", *code);
  // Until it is complete, it is for nobody else.
  if (::fchmod(fd.get(), static_cast<mode_t>(mode) & ~kUmask) != 0 || ::fsync(fd.get()) != 0)
    return fail("write", errno);
  if (::close(fd.release()) != 0) return fail("write", errno);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail("replace", errno);
  // The rename lasts only once the directory itself is on the disk.
  std::string parent(parent_of(path));
  Descriptor dir(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (dir.get() < 0) return system_error("open the directory", parent, errno);
  // Some file systems cannot synchronize directories and say so; there is nothing more to be done there.
  if (::fsync(dir.get()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    return system_error("synchronize the directory", parent, errno);
  }
  return {};
}

Result<void> write_atomic(const std::string& path, std::string_view data, int mode) {
  return write_atomic(
      path,
      [&](std::string& piece) -> Result<bool> {
        piece = data.substr(0, kPiece);
        data.remove_prefix(piece.size());
        return !data.empty();
      },
      mode);
}

}  // namespace xplan
