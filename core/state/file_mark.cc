// Looks at files, and compares digests where the looks differ.
#include "core/state/file_mark.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/base/fs.h"
#include "core/state/journal.h"

namespace xplan {
namespace {

int64_t nanoseconds(const timespec& t) {
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

std::optional<FileMark::Look> FileMark::look_at(const std::string& path) {
  struct stat st;
  if (::stat(path.c_str(), &st) != 0) return std::nullopt;
  return Look{st.st_dev, st.st_ino, st.st_size, nanoseconds(st.st_mtim), nanoseconds(st.st_ctim)};
}

// A file that was changed a moment ago can be changed again without its times telling: clocks of file systems
// are coarse.
void FileMark::look(const std::string& path) {
  constexpr int64_t kCoarse = 2'000'000'000;
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  look_ = look_at(path);
  if (look_ && nanoseconds(now) - look_->changed < kCoarse) look_.reset();
}

void FileMark::content(std::string_view bytes) {
  digest_ = text_digest(bytes);
}

Result<bool> FileMark::same(const std::string& path) const {
  struct stat st;
  const bool there = ::stat(path.c_str(), &st) == 0;
  if (there ? !S_ISREG(st.st_mode) || st.st_size == 0 : errno == ENOENT) return true;
  if (look_ && look_at(path) == look_) return true;
  const Result<std::string> now = real_fs().read(path);
  if (!now) return now.error();
  return text_digest(*now) == digest_;
}

}  // namespace xplan
