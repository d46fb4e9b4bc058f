// Creates files, directories and links strictly below one directory, opening each path component without
// following links. Open this for how unpacking is kept from writing elsewhere.
#include "core/install/tree_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/system_text.h"
#include "core/install/archive_reader.h"

namespace xplan::install {
namespace {

std::string last_part(std::string_view name) {
  return std::string(name.substr(name.rfind('/') + 1));
}

}  // namespace

TreeWriter::TreeWriter(const std::string& dir, uint64_t max_entries)
    : max_entries_(max_entries), root_(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (root_ < 0) root_error_ = errno;
}

TreeWriter::~TreeWriter() {
  if (file_ >= 0) ::close(file_);
  for (const auto& [name, fd] : open_) ::close(fd);
  if (root_ >= 0) ::close(root_);
}

Error TreeWriter::failed(std::string_view name, int code) const {
  switch (code) {
    case EEXIST:
      return refused_entry(name, "occurs more than once");
    case ENOTDIR:
    case ELOOP:
      return refused_entry(name,
                           "conflicts with another entry, or is below an entry that is not a directory");
    default:
      return Error{"cannot create \"" + std::string(name) + "\": " + system_text(code)};
  }
}

Result<void> TreeWriter::count() {
  if (++entries_ <= max_entries_) return {};
  return Error{"the archive was rejected because it has more than " + std::to_string(max_entries_) +
               " entries"};
}

Result<int> TreeWriter::open_directory(std::string_view name, bool make) {
  if (root_ < 0)
    return Error{std::string("the directory to unpack to cannot be opened: ") + system_text(root_error_)};
  size_t depth = 0;
  for (size_t i = 0; name != "." && i < name.size(); ++depth) {
    const size_t end = std::min(name.find('/', i), name.size());
    const std::string part(name.substr(i, end - i));
    i = end + 1;
    if (depth < open_.size() && open_[depth].first == part) continue;
    for (; open_.size() > depth; open_.pop_back()) ::close(open_.back().second);
    const int above = open_.empty() ? root_ : open_.back().second;
    if (make && ::mkdirat(above, part.c_str(), 0755) == 0) {
      if (Result<void> ok = count(); !ok) return ok.error();
    } else if (make && errno != EEXIST) {
      return failed(name, errno);
    }
    const int fd = ::openat(above, part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return failed(name, errno);
    open_.emplace_back(part, fd);
  }
  // What lies deeper stays open only as long as names go on there.
  for (; open_.size() > depth; open_.pop_back()) ::close(open_.back().second);
  return open_.empty() ? root_ : open_.back().second;
}

Result<int> TreeWriter::open_parent(std::string_view name, bool make) {
  const size_t slash = name.rfind('/');
  return open_directory(slash == name.npos ? "." : name.substr(0, slash), make);
}

Result<void> TreeWriter::directory(const std::string& name) {
  Result<int> fd = open_directory(name, true);
  return fd ? Result<void>() : fd.error();
}

Result<void> TreeWriter::begin_file(const std::string& name, bool executable) {
  Result<int> above = open_parent(name, true);
  if (!above) return above.error();
  if (Result<void> ok = count(); !ok) return ok;
  file_name_ = name;
  file_ = ::openat(*above, last_part(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   executable ? 0755 : 0644);
  return file_ < 0 ? failed(name, errno) : Result<void>();
}

Result<void> TreeWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{"cannot write \"" + file_name_ + "\": " + system_text(errno)};
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Result<void> TreeWriter::end_file() {
  if (file_ < 0) return {};
  if (::close(std::exchange(file_, -1)) == 0) return {};
  return Error{"cannot write \"" + file_name_ + "\": " + system_text(errno)};
}

Result<void> TreeWriter::hard_link(const std::string& name, const std::string& target) {
  Result<int> there = open_parent(target, false);
  if (!there) return refused_entry(name, "is a link to a file that does not precede it in the archive");
  const std::string to = last_part(target);
  struct stat st;
  if (::fstatat(*there, to.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
    return refused_entry(name, "is a link to a file that does not precede it in the archive");
  const int from = ::fcntl(*there, F_DUPFD_CLOEXEC, 0);  // opening the other name may close it
  if (from < 0) return failed(name, errno);
  Result<int> above = open_parent(name, true);
  Result<void> ok = above ? count() : Result<void>(above.error());
  if (ok && ::linkat(from, to.c_str(), *above, last_part(name).c_str(), 0) != 0) ok = failed(name, errno);
  ::close(from);
  return ok;
}

Result<void> TreeWriter::symbolic_link(const std::string& name, const std::string& target) {
  Result<int> above = open_parent(name, true);
  if (!above) return above.error();
  if (Result<void> ok = count(); !ok) return ok;
  if (::symlinkat(target.c_str(), *above, last_part(name).c_str()) != 0) return failed(name, errno);
  return {};
}

bool TreeWriter::exists(const std::string& name) {
  Result<int> above = open_parent(name, false);
  struct stat st;
  return above && (name == "." || ::fstatat(*above, last_part(name).c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0);
}

}  // namespace xplan::install
