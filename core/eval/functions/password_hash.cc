// Hashes with crypt_r(), in this process or in a child that hands the result over through a pipe.
#include "core/eval/functions/password_hash.h"

#include <crypt.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/spawn.h"

namespace xplan::eval {
namespace {

struct Task {
  const char *password, *setting;
  crypt_data scratch = {};  // made before the fork, since the child may not ask for memory
};

void hash_into(int to, void* data) {
  Task& t = *static_cast<Task*>(data);
  const char* made = crypt_r(t.password, t.setting, &t.scratch);
  [[maybe_unused]] ssize_t n = made ? write(to, made, std::strlen(made)) : 0;
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
  auto task = std::make_unique<Task>(Task{password.c_str(), setting.c_str()});
  hash.clear();
  Pipe pipe;
  const pid_t child = takes_long && ctx.stop ? fork_worker(pipe, hash_into, task.get()) : -1;
  if (child < 0) {
    const char* made = crypt_r(task->password, task->setting, &task->scratch);
    if (made) hash = made;
  } else {
    const bool ended = read_or_stop(pipe.read, ctx, hash);
    if (!ended) kill(child, SIGKILL);
    reap(child, Rest::Killed);
    if (!ended) return HashResult::Stopped;
  }
  return hash.starts_with('$') ? HashResult::Made : HashResult::Unsupported;
}

}  // namespace xplan::eval
