// The guard: a process of ours whose only task is to outlive this one and to end what it has left running.
//
// Who calls it: base/spawn.
// Contract: the groups of processes that guard_order() named are killed when this process ends, however it
// ends, SIGKILL and crashes too; those that are released in time are not. The guard is forked when it is
// first needed, has a session of its own, so that nothing that is typed reaches it, and holds no file,
// directory or terminal. Where it cannot be made, children are merely not guarded. Cost: one fork.
// Thread-safety: any thread; guard_order() also between fork and exec. Why not PR_SET_PDEATHSIG: it reaches
// the child alone and not what that has started, and it counts the end of the thread that forked as the end
// of the parent.
#pragma once
#include <sys/types.h>

namespace xplan {

int guard_channel();  // starts the guard; -1: there is none
enum class GuardOrder : int { Watch, Release };
void guard_order(int channel, GuardOrder order, pid_t group);

}  // namespace xplan
