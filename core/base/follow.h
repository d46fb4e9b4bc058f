// Waits for a running program to exit, and passes on its output.
//
// Who calls it: local-exec, git (install/run), programs that give credentials.
// Contract: `output` gets what comes through the pipe, piece by piece, on the calling thread. What the
// program has left in the background may hold the pipe open, and write into it: a moment after the end that
// is nobody's business any more. When `stop` becomes true, the program and all of its group are asked to end,
// and killed when they have not after the grace. The caller reaps.  Cost: one system call for each piece, and
// ten a second while there are none.  Thread-safety: one thread for each child.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string_view>

namespace xplan {

struct Interruption {
  const std::atomic<bool>* stop = nullptr;  // null: never
  int signal;                               // that asks it to end
  int grace_millis;
  int limit_millis = 0;  // of the whole; 0: none. When it is over, it is as if `stop` became true
};
// True: it was interrupted, or took too long.
bool follow(pid_t child, int pipe, const Interruption& by,
            const std::function<void(std::string_view)>& output);

}  // namespace xplan
