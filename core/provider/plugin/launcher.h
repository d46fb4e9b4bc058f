// Starts child processes that die with this one, however it dies.
//
// Who calls it: plugin::Process. Contract: the kernel kills a child when the *thread* that forked it ends, so
// all children are forked by one thread that lives as long as the process. Standard input is inherited,
// standard output and error are pipes, every other descriptor is closed, signals are as in a new process.
// Cost: one fork; starts are one after the other.  Thread-safety: any thread.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "core/base/result.h"

namespace xplan::plugin {

struct Child {
  pid_t pid = -1;
  int out = -1, err = -1;  // reading ends, close-on-exec, non-blocking
};
Result<Child> launch(const std::string& path, const std::vector<std::string>& environment);

}  // namespace xplan::plugin
