// Reads a program's output until the program ends; asks its process group to end after an interruption or
// the end of its time, and kills it after the grace.
#include "core/base/follow.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>

#include "core/base/spawn.h"

namespace xplan {

bool follow(pid_t child, int pipe, const Interruption& by,
            const std::function<void(std::string_view)>& output) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const Clock::time_point began = Clock::now();
  std::optional<Clock::time_point> interrupted, ended;
  for (bool open = true, killed = false; !ended || open;) {
    pollfd p{pipe, POLLIN, 0};
    const int ready = poll(&p, open ? 1 : 0, open ? 100 : 10);
    if (ready > 0) {
      char buffer[65536];
      const ssize_t n = read(pipe, buffer, sizeof buffer);
      if (n > 0) output({buffer, static_cast<size_t>(n)});
      if (n == 0 || (n < 0 && errno != EINTR)) open = false;
    }
    const auto now = Clock::now();
    if (ended && (ready == 0 || now - *ended > milliseconds(1000))) break;
    if (!ended && has_ended(child)) ended = now;
    const bool late = by.limit_millis > 0 && now - began > milliseconds(by.limit_millis);
    if (ended || !(late || (by.stop && by.stop->load()))) continue;
    if (!interrupted)
      interrupted = now, kill(-child, by.signal);
    else if (!killed && now - *interrupted > milliseconds(by.grace_millis))
      killed = true, kill(-child, SIGKILL);
  }
  return interrupted.has_value();
}

}  // namespace xplan
