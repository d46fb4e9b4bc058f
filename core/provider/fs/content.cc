// Reads whole regular files and turns bytes into attribute values: text where it is exact, base64 otherwise.
#include "core/provider/fs/content.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

#include "core/base/base64.h"
#include "core/base/system_text.h"
#include "core/base/utf8.h"
#include "core/provider/fs/place.h"

namespace xplan::fs {

Content read_file(const std::string& path, bool follow) {
  Content out;
  auto failed = [&](int code) {
    out.found = code == ENOENT || code == ENOTDIR ? Found::Missing
                : code == ELOOP                   ? Found::NotAFile
                                                  : Found::Failed;
    out.error = "\"" + path + "\" cannot be read: " + system_text(code);
    return out;
  };
  // Not blocking: opening a named pipe would wait for a writer.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  if (fd < 0) return failed(errno);
  struct stat info;
  if (::fstat(fd, &info) != 0) {
    int code = errno;
    ::close(fd);
    return failed(code);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    out.found = Found::NotAFile;
    out.error = "\"" + path + "\" is not a regular file";
    return out;
  }
  out.mode = info.st_mode & 07777;
  char buffer[65536];
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      int code = errno;
      ::close(fd);
      return failed(code);
    }
    if (n == 0) break;
    out.bytes.append(buffer, static_cast<size_t>(n));
  }
  ::close(fd);
  out.found = Found::File;
  return out;
}

bool is_exact_text(std::string_view bytes) {
  return utf8_valid(bytes) && nfc(bytes) == bytes;
}

Value text_value(std::string_view bytes) {
  if (utf8_valid(bytes)) return Value::string(bytes);
  std::string out;
  for (size_t i = 0; i < bytes.size();) utf8_append(out, utf8_decode(bytes, i));
  return Value::string(out);
}

Value base64_value(std::string_view bytes) {
  return Value::string_nfc(base64_encode(bytes));
}

}  // namespace xplan::fs
