// Temporary files beside their target: naming and creating them, and removing those whose process has died
// (same user, regular file, process id not in use, no lock held).
#include "core/base/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace xplan {
namespace {

constexpr std::string_view kMark = ".tmp-";

bool digits(std::string_view s) {
  return !s.empty() && s.size() < 10 && s.find_first_not_of("0123456789") == s.npos;
}

// Whether a name is one of ours is in the name itself: nobody else gets the sum right by accident.
std::string sum_of(std::string_view target, std::string_view numbers) {
  uint32_t sum = 2166136261u;  // FNV-1a
  for (std::string_view part :
       {std::string_view("xplan draft "), target.substr(target.rfind('/') + 1), numbers})
    for (unsigned char c : part) sum = (sum ^ c) * 16777619u;
  char text[9];
  std::snprintf(text, sizeof text, "%08x", sum);
  return text;
}

// What the file was to become; empty when the name is not one of ours, or its maker lives.
std::string_view target_of_dead(std::string_view name) {
  const size_t mark = name.rfind(kMark);
  if (mark == name.npos || mark == 0) return {};
  const std::string_view rest = name.substr(mark + kMark.size());
  const size_t dash = rest.find('-'), last = rest.rfind('-');
  if (dash == rest.npos || dash == last || !digits(rest.substr(0, dash)) ||
      !digits(rest.substr(dash + 1, last - dash - 1)) ||
      rest.substr(last + 1) != sum_of(name.substr(0, mark), rest.substr(0, last)))
    return {};
  const int pid = std::atoi(std::string(rest.substr(0, dash)).c_str());
  return pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH ? name.substr(0, mark) : std::string_view();
}

void remove_if_left(int dir, const char* name) {
  const int fd = ::openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  struct stat st;
  if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == ::geteuid() &&
      ::flock(fd, LOCK_EX | LOCK_NB) == 0)
    ::unlinkat(dir, name, 0);
  ::close(fd);
}

// By the name that each was to become.
using Left = std::multimap<std::string, std::string, std::less<>>;
Left left_in(const std::string& dir) {
  Left out;
  DIR* d = ::opendir(dir.c_str());
  if (!d) return out;
  while (struct dirent* e = ::readdir(d))
    if (const std::string_view target = target_of_dead(e->d_name); !target.empty())
      out.emplace(target, e->d_name);
  ::closedir(d);
  return out;
}

}  // namespace

std::string temporary_beside(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return temporary_of(path, ::getpid(), counter.fetch_add(1));
}

std::string temporary_of(const std::string& path, int pid, unsigned number) {
  const std::string numbers = std::to_string(pid) + "-" + std::to_string(number);
  return path + std::string(kMark) + numbers + "-" + sum_of(path, numbers);
}

void remove_leftovers(const std::string& path, Look look) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, Left> known;
  const size_t slash = path.rfind('/');
  const std::string dir = slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = path.substr(slash + 1);
  std::lock_guard lock(mutex);
  struct stat st;
  if (::stat(dir.c_str(), &st) != 0) return;
  auto [at, fresh] = known.try_emplace({st.st_dev, st.st_ino});
  if (fresh || look == Look::Again) at->second = left_in(dir);
  const auto [from, to] = at->second.equal_range(name);
  if (from == to) return;
  if (const int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); fd >= 0) {
    for (auto it = from; it != to; ++it) remove_if_left(fd, it->second.c_str());
    ::close(fd);
  }
  at->second.erase(from, to);
}

int create_temporary(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0) ::flock(fd, LOCK_EX | LOCK_NB);  // where the file system has no locks, the PID tells
  return fd;
}

}  // namespace xplan
