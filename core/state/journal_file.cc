// A journal in a file: grouped fsync, disk space reserved ahead, a lock on it that says that its writer is
// alive.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/base/fs.h"
#include "core/base/leftovers.h"
#include "core/base/write_all.h"
#include "core/state/journal_home.h"
#include "core/state/lock.h"
#include "core/state/sealed_journal.h"

namespace xplan {
namespace {

// What is reserved ahead at least, but on a disk that is nearly full.
constexpr int64_t kPlenty = 128 * 1024;

class FileMedium : public JournalMedium {
 public:
  FileMedium(std::string path, int fd, JournalSeal seal)
      : path_(std::move(path)), fd_(fd), seal_(std::move(seal)) {}
  ~FileMedium() override { ::close(fd_); }

  // Blocks behind the end of the file. What is not used is given back when the journal is removed.
  int make_room(int64_t least) override {
    least = seal_.size_of(least);
    if (size_ + std::max(least, kPlenty) <= room_) return 0;
    for (int64_t ahead = 2 * std::max(least, kPlenty);; ahead = std::max(ahead / 2, least)) {
      int failed;
      do {
        failed = ::fallocate(fd_, FALLOC_FL_KEEP_SIZE, size_, ahead);
      } while (failed != 0 && errno == EINTR);
      const int code = failed != 0 ? errno : 0;
      if (code == 0) return room_ = std::max(room_, size_ + ahead), 0;
      if (code != ENOSPC && code != EDQUOT && code != EFBIG)
        return room_ = INT64_MAX, 0;  // a file system that cannot tell
      if (ahead == least) return size_ + least <= room_ ? 0 : code;
    }
  }
  int write(std::string_view line) override {
    const Result<std::string> sealed = seal_.line(line);
    if (!sealed) return EIO;
    const std::string text = size_ == 0 ? seal_.header() + *sealed : *sealed;
    const int code = write_all(fd_, text);
    if (code == 0) size_ += static_cast<int64_t>(text.size());
    return code;
  }
  int sync(const Cut&) override { return ::fdatasync(fd_) == 0 ? 0 : errno; }
  int64_t left() const override { return kLargestJournal - kEndOfJournal - size_; }
  Error problem(int code) const override { return system_problem("write the journal", path_, code); }

 private:
  const std::string path_;
  const int fd_;
  JournalSeal seal_;
  int64_t size_ = 0, room_ = 0;  // of the file; up to where the disk has room for it
};

class FileJournals : public JournalHome {
 public:
  FileJournals(std::string path, CodecPtr codec) : path_(std::move(path)), codec_(std::move(codec)) {}
  std::string name() const override { return path_; }
  Result<std::optional<Left>> find(bool locked) override;
  Result<void> remove() override {
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
      return system_problem("remove the journal", path_, errno);
    return sync_folder_of(path_);
  }
  Result<bool> keep(const JournalBase& base, const std::vector<JournalRecord>& intents) override;
  Result<void> possible() const override;
  Result<void> commit(const JournalCommit& c) override { return append_commit(path_, c, codec_); }
  Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types,
                                                bool) override {
    if (auto made = make_folders(folder_of(path_)); !made.ok()) return made.error();
    return create_journal_file(path_, base, types, codec_);
  }

 private:
  const std::string path_;
  const CodecPtr codec_;
};

Result<std::optional<JournalHome::Left>> FileJournals::find(bool) {
  if (!real_fs().exists(path_)) return std::optional<Left>();
  struct stat st;
  if (::stat(path_.c_str(), &st) == 0 && st.st_size > kLargestJournal)
    return Error{
        fmt::format("the journal \"{}\" has {} bytes, and no run writes more than {}. If something else has "
                    "written it, rename it, so that it is kept, and run the command again",
                    path_, st.st_size, kLargestJournal)};
  const bool alive = locked_by_other(path_);
  Result<std::string> text = real_fs().read(path_);
  if (text) return std::optional(Left{std::make_shared<const std::string>(std::move(*text)), alive});
  if (real_fs().exists(path_)) return text.error();
  return std::optional(Left{nullptr, alive, true});
}

Result<bool> FileJournals::keep(const JournalBase& base, const std::vector<JournalRecord>& intents) {
  static const NoTypes types;
  const std::string beside = temporary_beside(path_);
  auto file = create_journal_file(beside, base, types, codec_);
  const bool made = file.ok() &&
                    std::all_of(intents.begin(), intents.end(),
                                [&](const JournalRecord& r) { return (*file)->append(r).ok(); }) &&
                    ::rename(beside.c_str(), path_.c_str()) == 0;
  if (!made) return ::unlink(beside.c_str()), false;
  if (Result<void> ok = sync_folder_of(path_); !ok) return ok.error();
  return true;
}

// In the nearest folder that there is.
Result<void> FileJournals::possible() const {
  std::filesystem::path folder = std::filesystem::absolute(path_).parent_path();
  std::error_code ec;
  while (!std::filesystem::exists(folder, ec) && folder != folder.parent_path())
    folder = folder.parent_path();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return system_problem("create the journal", path_, errno);
}

}  // namespace

std::unique_ptr<JournalHome> journal_in_file(std::string path, CodecPtr codec) {
  return std::make_unique<FileJournals>(std::move(path), std::move(codec));
}

Result<std::shared_ptr<JournalWriter>> create_journal_file(const std::string& path, const JournalBase& base,
                                                           const TypeSource& types, const CodecPtr& codec) {
  Result<JournalSeal> seal = JournalSeal::begin(*codec);
  if (!seal) return seal.error();
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return system_problem("create the journal", path, errno);
  auto medium = std::make_unique<FileMedium>(path, fd, std::move(*seal));
  // Whoever looks at the state in the meantime sees by the lock that the writer is alive.
  if (!lock_file(fd)) return system_problem("lock the journal", path, errno);
  auto out = JournalWriter::begin(std::move(medium), path, base, types);
  if (!out) return out.error();
  if (auto r = sync_folder_of(path); !r.ok()) return r.error();
  return out;
}

namespace {

// Without a line that was not completed, which would look like damage if others followed it.
off_t end_of_lines(int fd) {
  char buffer[4096];
  off_t end = ::lseek(fd, 0, SEEK_END);
  while (end > 0) {
    const off_t from = std::max<off_t>(end - static_cast<off_t>(sizeof buffer), 0);
    const ssize_t n = ::pread(fd, buffer, static_cast<size_t>(end - from), from);
    if (n != end - from) return errno = EIO, -1;
    const size_t at = std::string_view(buffer, static_cast<size_t>(n)).rfind('\n');
    if (at != std::string_view::npos) return from + static_cast<off_t>(at) + 1;
    end = from;
  }
  return end;
}

}  // namespace

Result<void> append_commit(const std::string& path, const JournalCommit& c, const CodecPtr& codec) {
  const Result<std::string> lines = seal_lines(*codec, {encode_commit(c)});
  if (!lines) return lines.error();
  int fd = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return system_problem("open the journal", path, errno);
  const off_t end = end_of_lines(fd);
  int code = end >= 0 && ::ftruncate(fd, end) == 0 ? write_all(fd, *lines) : errno;
  if (code == 0 && ::fsync(fd) != 0) code = errno;
  if (code != 0 && end >= 0) (void)!::ftruncate(fd, end);  // a part of a line would look like damage
  ::close(fd);
  if (code != 0) return system_problem("write the journal", path, code);
  return {};
}

}  // namespace xplan
