// Calls write() until nothing is left; 0, or the errno of the call that failed.
#include "core/base/write_all.h"

#include <unistd.h>

#include <cerrno>

namespace xplan {

int write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) data.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace xplan
