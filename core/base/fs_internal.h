// What the functions on files have in common; private to this folder.
//
// Who calls it: fs.cc, atomic_file.cc, draft_file.cc.  Thread-safety: pure functions.
#pragma once
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/system_text.h"

namespace xplan {

// "cannot open "x": no such file or directory": the reason of the system in lower case, no full stop.
inline Error system_error(std::string_view doing, std::string_view path, int code) {
  return Error{"cannot " + std::string(doing) + " \"" + std::string(path) + "\": " + system_text(code)};
}

// Embedded zero bytes would silently shorten the path that the system sees.
inline bool has_zero(std::string_view path) {
  return path.find('\0') != std::string_view::npos;
}

// The directory that a path is in.
inline std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() {
    int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

}  // namespace xplan
