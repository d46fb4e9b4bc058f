// Hashes with crypt_r(), in this process or in a child that hands the result over through a pipe.
#include "core/eval/functions/password_hash.h"

#include <crypt.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/child_guard.h"
#include "core/base/spawn.h"

namespace xplan::eval {
namespace {

// In a copy of a process with threads: no memory is asked for.
[[noreturn]] void hash_in_child(const char* password, const char* setting, crypt_data* scratch, int to,
                                int guard) {
  setpgid(0, 0);  // Ctrl-C of the terminal is for the parent
  guard_order(guard, GuardOrder::Watch, getpid());
  const char* made = crypt_r(password, setting, scratch);
  [[maybe_unused]] ssize_t n = made ? write(to, made, std::strlen(made)) : 0;
  _exit(0);
}

// Until the child has written all, or ended.
bool read_or_stop(int from, const CallContext& ctx, std::string& out) {
  constexpr int kLookMillis = 50;
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    if (poll(&ready, 1, kLookMillis) <= 0) {
      if (ctx.stopped()) return false;
      continue;
    }
    char buffer[256];
    const ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    out.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

HashResult password_hash(const std::string& password, const std::string& setting, bool takes_long,
                         const CallContext& ctx, std::string& hash) {
  auto scratch = std::make_unique<crypt_data>();
  std::memset(scratch.get(), 0, sizeof *scratch);
  hash.clear();
  Pipe pipe;
  const int guard = takes_long && ctx.stop ? guard_channel() : -1;
  const pid_t child = guard >= 0 && pipe.open() ? fork() : -1;
  if (child == 0) hash_in_child(password.c_str(), setting.c_str(), scratch.get(), pipe.write, guard);
  if (child < 0) {
    const char* made = crypt_r(password.c_str(), setting.c_str(), scratch.get());
    if (made) hash = made;
  } else {
    setpgid(child, child);  // whoever of the two is first
    pipe.close_write();
    const bool ended = read_or_stop(pipe.read, ctx, hash);
    if (!ended) kill(child, SIGKILL);
    reap(child, Rest::Killed);
    if (!ended) return HashResult::Stopped;
  }
  return hash.starts_with('$') ? HashResult::Made : HashResult::Unsupported;
}

}  // namespace xplan::eval
