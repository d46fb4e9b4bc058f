// local-exec: runs a command on this machine.
//
// Who calls it: provision.cc.
// Contract: the command runs in a process group of its own, with the environment of this process plus
// `environment` and without any descriptor of ours (base/spawn.h); its output (stdout and stderr together)
// goes line by line to `line`. When `stop` becomes true the group is sent SIGINT, and SIGKILL five seconds
// later; then no process is left behind. What a command that ended by itself has left in the background
// stays. Thread-safety: several may run concurrently. Cost: one process; output is passed on as it comes,
// never kept.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace xplan {

struct Command {
  std::vector<std::string> interpreter{"/bin/sh", "-c"};
  std::string command, working_dir;
  std::map<std::string, std::string> environment;
};
// An error says how the command failed, without its output.
Result<void> run_command(const Command& c, const std::atomic<bool>* stop,
                         const std::function<void(std::string_view)>& line);

}  // namespace xplan
