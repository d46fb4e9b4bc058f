// Starts programs: each in a process group of its own, with three descriptors and nothing else of ours.
//
// Who calls it: provider plugins (provider/plugin/process), local-exec, git (install/run); fork_worker:
// hashing of passwords (eval/functions). Contract: the program gets descriptors 0 to 2 and no other, signals
// as in a new process, and the environment that is given. Being in another group, it gets no Ctrl-C from the
// terminal: who started it decides what an interrupt means to it. (It is stopped neither for using the
// terminal; that fails instead.) When this process ends, however it ends, the whole group is killed, what the
// program has started included. Every child is ended by exactly one reap(). Cost: one fork; a second one for
// the first program (child_guard.h).  Thread-safety: any thread. Why fork and not posix_spawn: that cannot
// report to the guard before the program runs.
#pragma once
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace xplan {

struct Pipe {
  int read = -1, write = -1;
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  ~Pipe() { close_read(), close_write(); }
  bool open();  // both ends are closed when another program takes this one's place
  void close_read();
  void close_write();
};

struct SpawnRequest {
  std::vector<std::string>
      arguments;  // the first one without a slash is looked up in the directories of PATH
  std::vector<std::string> environment;  // NAME=value
  std::string directory;                 // to start in; empty: the present one
  int in = -1;                           // -1: /dev/null
  int out = 1, err = 2;
};
// The child, which is also the number of its group. The error is the system's reason.
Result<pid_t> spawn(const SpawnRequest& r);
// A copy of this process that makes one calculation and writes what comes of it into `to`. It has no other
// descriptor, is in a group of its own and is guarded like a program; `work` may only make calls that are
// safe in a copy of a process with threads. Opens the pipe; -1: that was not possible. To be ended by reap().
pid_t fork_worker(Pipe& pipe, void (*work)(int to, void* data), void* data);
bool has_ended(pid_t child);                        // and can be reaped; its number is its own until then
enum class Rest : unsigned char { Stays, Killed };  // of the group
// Waits for the end and frees the number; the status as waitpid gives it.
int reap(pid_t child, Rest rest);

// The present environment with these changes; a variable without a value is left out.
std::vector<std::string> environment_with(const std::map<std::string, std::optional<std::string>>& changes);

}  // namespace xplan
