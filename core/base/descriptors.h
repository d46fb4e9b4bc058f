// Which descriptors a copy of this process keeps, and hands on to a program.
//
// Who calls it: spawn.cc, child_guard.cc, between fork and exec.
// Contract: only calls that are safe in a copy of a process with threads. Cost: one system call, on an old
// kernel one for each number a descriptor can have.  Thread-safety: any thread, but in a copy of the process.
#pragma once

namespace xplan {

enum class Close : unsigned char { Now, OnExec };
// All from `first` on. False: it is not known which there are.
bool close_from(unsigned first, Close when);
// Leaves `kept` as descriptor 3, and /dev/null as those below.
void keep_only(int kept);

}  // namespace xplan
