// Drafts of files: O_TMPFILE and linkat, or a temporary name and rename.
#include "core/base/draft_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/base/leftovers.h"
#include "core/base/write_all.h"

namespace xplan {
namespace {

// Gives a file that has no name one; 0 or the system's error.
int link_at(int fd, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(fd);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

// All bytes of one file into another; 0 or the system's error.
int copy_all(int from, int to) {
  char buffer[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(from, buffer, sizeof buffer, at);
    if (n == 0) return 0;
    if (n < 0 && errno != EINTR) return errno;
    if (n < 0) continue;
    if (const int code = write_all(to, {buffer, static_cast<size_t>(n)})) return code;
    at += n;
  }
}

int replace(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// Renames to what is not there yet; 0 or the system's error.
int rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system does not know that; a link is never made over something either.
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()), 0;
  if (errno == EEXIST) return EEXIST;
  // Nor links: an empty file is made where nothing is, and replaced.
  const Descriptor mine(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (mine.get() < 0) return errno;
  const int code = replace(from, to);
  if (code != 0) ::unlink(to.c_str());
  return code;
}

}  // namespace

DraftFile::DraftFile(std::string path) : path_(std::move(path)) {
  fd_.reset(::open(parent_of(path_).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
  if (fd_.get() >= 0)
    ::flock(fd_.get(), LOCK_EX | LOCK_NB);  // for the moment in which it has a temporary name
  else
    create_named();
}

DraftFile::~DraftFile() {
  if (!name_.empty() && fd_.get() >= 0) ::unlink(name_.c_str());
}

bool DraftFile::create_named() {
  name_ = temporary_beside(path_);
  fd_.reset(create_temporary(name_));
  if (fd_.get() < 0) error_ = errno;
  return fd_.get() >= 0;
}

// A link where the file system can make one; otherwise a copy.
Result<void> DraftFile::give_name(mode_t mode) {
  std::string name = temporary_beside(path_);
  if (link_at(fd_.get(), name) == 0) {
    name_ = std::move(name);
    return {};
  }
  Descriptor unnamed(fd_.release());
  if (!create_named()) return failed();
  int code = copy_all(unnamed.get(), fd_.get());
  if (code == 0 && (::fchmod(fd_.get(), mode) != 0 || ::fsync(fd_.get()) != 0)) code = errno;
  if (code != 0) return system_error("write", path_, code);
  return {};
}

Result<bool> DraftFile::place(mode_t mode, Existing existing) {
  // Until it is complete, it is for nobody else.
  if (::fchmod(fd_.get(), mode) != 0 || ::fsync(fd_.get()) != 0) return system_error("write", path_, errno);
  if (name_.empty()) {
    const int code = link_at(fd_.get(), path_);
    if (code == 0) return true;
    if (code == EEXIST && existing == Existing::Kept) return false;
    if (Result<void> named = give_name(mode); !named) return named.error();
  }
  const bool kept = existing == Existing::Kept;
  const int code = kept ? rename_new(name_, path_) : replace(name_, path_);
  if (code == EEXIST && kept) return false;
  if (code != 0) return system_error(kept ? "create" : "replace", path_, code);
  name_.clear();
  return true;
}

}  // namespace xplan
