// Reads the end record of a zip file and the one for large files (zip64), and compares them.
#include "core/install/zip_end.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/system_text.h"

namespace xplan::install {
namespace {

constexpr uint64_t kEndBytes = 22, kLargeBytes = 56, kLocatorBytes = 20;
constexpr uint64_t kMaxDirectory = uint64_t{256} << 20;

// Whether the record tells of one file that has all entries. Numbers of the first file are 0, or all ones
// where the other record is to be asked.
bool is_whole(std::string_view record) {
  auto first = [&](size_t at) {
    const uint64_t n = zip_number(record, at, 2);
    return n == 0 || n == 0xffff;
  };
  return first(4) && first(6) && zip_number(record, 8, 2) == zip_number(record, 10, 2);
}

bool is_whole(std::string_view locator, std::string_view large) {
  return zip_number(locator, 4, 4) == 0 && zip_number(locator, 16, 4) == 1 && zip_number(large, 16, 8) == 0 &&
         zip_number(large, 24, 8) == zip_number(large, 32, 8);
}

}  // namespace

ZipFile::ZipFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat st;
  if (fd_ < 0 || ::fstat(fd_, &st) != 0)
    problem_ = system_text(errno);
  else
    size_ = static_cast<uint64_t>(st.st_size);
}

ZipFile::~ZipFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ZipFile::read(uint64_t at, uint64_t bytes) const {
  std::string out(at < size_ ? std::min(bytes, size_ - at) : 0, '\0');
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  out.resize(done);
  return out;
}

Result<ZipDirectory> find_directory(const ZipFile& file) {
  const uint64_t looked_at = std::min<uint64_t>(file.size(), kEndBytes + 0xffff);
  const std::string tail = file.read(file.size() - looked_at, looked_at);
  const size_t found = tail.rfind("PK\5\6");
  if (found == tail.npos || found + kEndBytes + zip_number(tail, found + 20, 2) != tail.size())
    return damaged_zip("it does not end as a zip file does");
  uint64_t end = file.size() - tail.size() + found;
  const std::string_view record = std::string_view(tail).substr(found);
  ZipDirectory d{zip_number(record, 10, 2), zip_number(record, 12, 4), zip_number(record, 16, 4)};
  bool whole = is_whole(record);
  const uint64_t before = end - std::min(end, kLocatorBytes);
  const std::string locator = file.read(before, end - before);
  // Most tools follow the locator whether a number asks for it or not, so it is followed here, too.
  if (locator.starts_with("PK\6\7")) {
    const uint64_t at = zip_number(locator, 8, 8);
    const std::string large = file.read(at, kLargeBytes);
    if (!large.starts_with("PK\6\6") || at > before || before - at < kLargeBytes ||
        zip_number(large, 4, 8) != before - at - 12)
      return damaged_zip("the end of its central directory is incomplete");
    whole = whole && is_whole(locator, large);
    const ZipDirectory l{zip_number(large, 32, 8), zip_number(large, 40, 8), zip_number(large, 48, 8)};
    if ((d.entries != 0xffff && d.entries != l.entries) || (d.size != kZipElsewhere && d.size != l.size) ||
        (d.at != kZipElsewhere && d.at != l.at))
      return damaged_zip("it has two central directories");
    d = l;
    end = at;
  } else if (d.size == kZipElsewhere || d.at == kZipElsewhere) {
    return damaged_zip("the end of its central directory is incomplete");
  }
  if (!whole) return damaged_zip("it is one part of several");
  if (d.size > kMaxDirectory || d.at > end || end - d.at != d.size)
    return damaged_zip("its central directory is not at the recorded position");
  return d;
}

uint64_t zip_number(std::string_view s, size_t at, size_t bytes) {
  uint64_t out = 0;
  for (size_t i = bytes; i-- > 0;)
    out = out << 8 | (at + i < s.size() ? static_cast<unsigned char>(s[at + i]) : 0);
  return out;
}

Error damaged_zip(std::string_view why) {
  return Error{"the archive is damaged: " + std::string(why)};
}

}  // namespace xplan::install
