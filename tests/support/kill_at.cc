// A library to preload: kills its process right before the change of the file system, or what it sends to a
// server, whose number is in XPLAN_TEST_KILL_AT, counted from 1. What a program must stand at any moment is
// tested at every such point, instead of after some time.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace {

void point() {
  static const char* const at = std::getenv("XPLAN_TEST_KILL_AT");
  static std::atomic<long> left{at ? std::atol(at) : 0};
  if (at && --left == 0) kill(getpid(), SIGKILL);
}

}  // namespace

#define POINT(result, name, parameters, arguments)                                \
  extern "C" result name parameters {                                             \
    using Function = result(*) parameters;                                        \
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, #name)); \
    point();                                                                      \
    return real arguments;                                                        \
  }

POINT(int, fsync, (int fd), (fd))
POINT(ssize_t, send, (int fd, const void* data, size_t size, int flags), (fd, data, size, flags))
POINT(int, fdatasync, (int fd), (fd))
POINT(int, rename, (const char* from, const char* to), (from, to))
POINT(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
      (a, from, b, to, flags))
POINT(int, link, (const char* from, const char* to), (from, to))
POINT(int, linkat, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags))
POINT(int, unlink, (const char* path), (path))
POINT(int, ftruncate, (int fd, off_t size), (fd, size))
POINT(int, ftruncate64, (int fd, off_t size), (fd, size))
