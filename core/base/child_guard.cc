// The guard process: forked once, it keeps a list of process groups that it is told about over a socket, and
// kills them when this process is gone. Its loop may only make calls that are safe after fork.
#include "core/base/child_guard.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <mutex>

#include "core/base/descriptors.h"

namespace xplan {
namespace {

struct Message {
  GuardOrder order;
  pid_t group;
};

// In a copy of a process with threads: only calls that are safe there, and no memory that is not there
// already.
[[noreturn]] void keep_watch(int channel) {
  static pid_t groups[2048];
  size_t count = 0;
  setsid();
  prctl(PR_SET_NAME, "xplan-guard");
  for (int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) signal(s, SIG_IGN);
  [[maybe_unused]] int at_top = chdir("/");
  keep_only(channel);
  for (;;) {
    Message m{};
    const ssize_t n = recv(3, &m, sizeof m, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n != sizeof m) break;  // nobody is there to send any more
    if (m.order == GuardOrder::Watch) {
      if (count < std::size(groups)) groups[count++] = m.group;
      continue;
    }
    for (size_t i = 0; i < count; ++i)
      if (groups[i] == m.group) groups[i--] = groups[--count];
  }
  for (size_t i = 0; i < count; ++i) kill(-groups[i], SIGKILL);
  _exit(0);
}

}  // namespace

int guard_channel() {
  static std::mutex mutex;
  static int channel = -1;
  std::lock_guard lock(mutex);
  if (channel >= 0) return channel;
  int ends[2];
  // Packets, so that orders of several senders stay whole; a socket, so that a dead guard raises no signal.
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    keep_watch(ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return -1;
  }
  return channel = ends[0];
}

void guard_order(int channel, GuardOrder order, pid_t group) {
  const Message m{order, group};
  if (channel >= 0) [[maybe_unused]]
    ssize_t sent = send(channel, &m, sizeof m, MSG_NOSIGNAL);
}

}  // namespace xplan
