// Closes descriptors with close_range(), or one by one where the kernel does not have it.
#include "core/base/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace xplan {

bool close_from(unsigned first, Close when) {
#ifndef CLOSE_RANGE_CLOEXEC
  constexpr unsigned kOnExec = 4;
#else
  constexpr unsigned kOnExec = CLOSE_RANGE_CLOEXEC;
#endif
  if (syscall(SYS_close_range, first, ~0u, when == Close::OnExec ? kOnExec : 0u) == 0) return true;
  struct rlimit limit;  // an old kernel
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
  for (int fd = static_cast<int>(first); fd < end; ++fd)
    when == Close::OnExec ? fcntl(fd, F_SETFD, FD_CLOEXEC) : close(fd);
  return true;
}

void keep_only(int kept) {
  dup2(kept, 3);
  const int null = open("/dev/null", O_RDWR);
  for (int fd : {0, 1, 2}) dup2(null, fd);
  close_from(4, Close::Now);
}

}  // namespace xplan
